/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/kernel.h"

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/platform.h"

#define DIMS 3
#define WORD sizeof(size_t)

/* What a question brings along, and what its answer is (5.9.4). */
enum shape { NOTHING, NUMBER, SIZES };
static const struct question {
	cl_uint param;
	enum shape input, answer;
} questions[] = {
	{ CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, SIZES, NUMBER },
	{ CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, SIZES, NUMBER },
	{ CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, NUMBER, SIZES },
	{ CL_KERNEL_MAX_NUM_SUB_GROUPS, NOTHING, NUMBER },
	{ CL_KERNEL_COMPILE_NUM_SUB_GROUPS, NOTHING, NUMBER },
	{ CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, NOTHING, NUMBER },
};

static const struct question *
find_question(cl_uint param)
{
	size_t i;

	for (i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
		if (questions[i].param == param)
			return &questions[i];
	return NULL;
}

static bool
input_ok(const struct question *q, size_t n, const void *p)
{
	if (q->input == NOTHING)
		return true;
	if (p == NULL || n == 0 || n % WORD != 0)
		return false;
	return n <= (q->input == SIZES ? DIMS * WORD : WORD);
}

/* How many dimensions are asked for is told by the room for the answer. */
static size_t
answer_size(const struct question *q, const struct info_out *out)
{
	if (q->answer != SIZES)
		return WORD;
	if (out->size < WORD && out->value != NULL)
		return WORD;
	return out->size < WORD || out->size > DIMS * WORD ? DIMS * WORD :
	    out->size / WORD * WORD;
}

/* What sub-groups a work-group would have depends on the question: ask. */
static cl_int
ask(struct kernel *k, const struct device *d, const struct question *q,
    struct span input, struct info_out *out)
{
	struct msg_clGetKernelSubGroupInfo m = {
		.kernel.id = k->o.id,
		.device.id = d->o.id,
		.param_name = q->param,
	};
	struct reply_clGetKernelSubGroupInfo r;
	const size_t n = answer_size(q, out);
	struct buf body;
	cl_int code;

	if (out->value != NULL && out->size < n)
		return CL_INVALID_VALUE;
	if (q->input != NOTHING)
		m.input = input;
	code = call_sync(&desc_clGetKernelSubGroupInfo, &m, &r, &body);
	if (code == CL_SUCCESS)
		code = r.value.n >= n ? info_bytes(out, r.value.p, n) :
		    CL_INVALID_VALUE;
	buf_fini(&body);
	return code;
}

cl_int
icd_clGetKernelSubGroupInfo(cl_kernel kernel, cl_device_id device,
    cl_kernel_sub_group_info param_name, size_t input_value_size,
    const void *input_value, size_t param_value_size, void *param_value,
    size_t *param_value_size_ret)
{
	struct kernel *k = kernel_check(kernel);
	const struct device *d = device_check(device);
	const struct question *q = find_question(param_name);
	cl_uint i;

	if (k == NULL)
		return CL_INVALID_KERNEL;
	if ((device != NULL && d == NULL) ||
	    (i = kernel_device_index(k, d)) == k->program->device_count)
		return CL_INVALID_DEVICE;
	d = k->program->device[i].device;
	if (device_u64(d, CL_DEVICE_MAX_NUM_SUB_GROUPS) == 0)
		return CL_INVALID_OPERATION;
	if (q == NULL || !input_ok(q, input_value_size, input_value))
		return CL_INVALID_VALUE;
	return ask(k, d, q, (struct span){ input_value, input_value_size },
	    &(struct info_out){ param_value_size, param_value,
	    param_value_size_ret });
}
