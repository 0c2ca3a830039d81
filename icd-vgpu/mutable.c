/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/mutable.h"

#include <stdlib.h>
#include <string.h>

#include "icd-vgpu/call.h"
#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/platform.h"

/* ---- recording --------------------------------------------------------- */

static void
mutable_fini(struct object *o)
{
	struct mutable_command *m = (struct mutable_command *)o;

	if (m->clone != NULL)
		object_release(&m->clone->o);
	object_unuse(m->kernel);
	free(m->property);
}

void
mutable_drop_all(struct mutable_commands *list)
{
	struct mutable_command *m;

	while ((m = TAILQ_FIRST(list)) != NULL) {
		TAILQ_REMOVE(list, m, entry);
		object_unuse(m);
	}
}

static void
copy_sizes(size_t to[3], const size_t *from, cl_uint n)
{
	if (from != NULL)
		memcpy(to, from, n * sizeof(*to));
}

static cl_int
take_properties(struct mutable_command *m, const cl_ulong *list,
    bool *no_more_groups)
{
	const cl_ulong known[] = { CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
		CL_MUTABLE_DISPATCH_ASSERTS_KHR };
	const cl_bitfield able = device_u64(m->buffer->queue->device,
	    CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR);
	const cl_bitfield assertion =
	    CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR;
	/* Without the property, all that the device is able to may change. */
	cl_ulong value[2] = { able, 0 };
	cl_int code = property_list_take(list, known, 2, value, &m->property,
	    &m->property_count);

	if (code != CL_SUCCESS)
		return code;
	if (value[1] & ~assertion)
		return CL_INVALID_VALUE;
	m->fields = value[0];
	*no_more_groups = ((value[1] | m->buffer->asserts) & assertion) != 0;
	return m->fields & ~able ? CL_INVALID_OPERATION : CL_SUCCESS;
}

/* Were arguments said to be changed, not only by default? */
static bool
asked_for_arguments(const struct mutable_command *m)
{
	size_t i;

	for (i = 0; i + 1 < m->property_count; i += 2)
		if (m->property[i] == CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR)
			return (m->property[i + 1] &
			    CL_MUTABLE_DISPATCH_ARGUMENTS_KHR) != 0;
	return false;
}

/* The recorder checks the launch, with the clone in the kernel's place. */
static cl_int
enqueue(struct mutable_command *m, const struct range *r)
{
	struct queue *q = m->buffer->recorder;

	q->unset_ok = asked_for_arguments(m);
	return icd_clEnqueueNDRangeKernel((cl_command_queue)(void *)q,
	    (cl_kernel)(void *)m->clone, r->dim, r->offset, r->global,
	    r->local, 0, NULL, NULL);
}

static cl_int
record(struct mutable_command *m, const cl_ulong *properties,
    const struct range *r)
{
	bool no_more_groups;
	cl_int code = take_properties(m, properties, &no_more_groups);

	if (code != CL_SUCCESS)
		return code;
	if (no_more_groups && r->local == NULL)
		return CL_INVALID_VALUE;
	m->clone = (struct kernel *)(void *)icd_clCloneKernel(
	    (cl_kernel)(void *)m->kernel, &code);
	if (code != CL_SUCCESS || (code = enqueue(m, r)) != CL_SUCCESS)
		return code;
	m->dim = r->dim;
	copy_sizes(m->offset, r->offset, r->dim);
	copy_sizes(m->global, r->global, r->dim);
	copy_sizes(m->local, r->local, r->dim);
	m->has_global = r->global != NULL;
	m->has_local = r->local != NULL;
	return CL_SUCCESS;
}

cl_int
mutable_record(struct command_buffer *b, const cl_ulong *properties,
    cl_kernel kernel, const struct range *r, struct mutable_command **out)
{
	struct kernel *k = kernel_check(kernel);
	struct mutable_command *m;
	cl_int code;

	if (k == NULL)
		return CL_INVALID_KERNEL;
	m = object_new(OBJ_MUTABLE_COMMAND, sizeof(*m), mutable_fini);
	if (m == NULL)
		return CL_OUT_OF_HOST_MEMORY;
	m->o.local = true;
	m->buffer = b;
	m->number = b->count + 1;
	m->kernel = object_use(k);
	if ((code = record(m, properties, r)) != CL_SUCCESS) {
		object_unuse(m);
		return code;
	}
	TAILQ_INSERT_TAIL(&b->launches, m, entry);
	if (m->clone->unset > 0)
		b->incomplete++;
	*out = m;
	return CL_SUCCESS;
}

/* ---- checking an update ------------------------------------------------ */

static bool
list_ok(cl_uint n, const void *list)
{
	return (n == 0) == (list == NULL);
}

/* Only what was said to be changed may be. */
static cl_int
check_fields(const struct mutable_command *m,
    const struct khr_dispatch_config *c)
{
	cl_bitfield used = 0;

	if (c->global_work_offset != NULL)
		used |= CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR;
	if (c->global_work_size != NULL)
		used |= CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR;
	if (c->local_work_size != NULL)
		used |= CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR;
	if (c->num_args > 0 || c->num_svm_args > 0)
		used |= CL_MUTABLE_DISPATCH_ARGUMENTS_KHR;
	if (c->num_exec_infos > 0)
		used |= CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;
	if ((used & ~m->fields) || (c->work_dim != 0 && c->work_dim != m->dim))
		return CL_INVALID_OPERATION;
	return list_ok(c->num_args, c->args) &&
	    list_ok(c->num_svm_args, c->svm_args) &&
	    list_ok(c->num_exec_infos, c->exec_infos) ? CL_SUCCESS :
	    CL_INVALID_VALUE;
}

static cl_int
check_args(const struct mutable_command *m,
    const struct khr_dispatch_config *c)
{
	cl_int code = CL_SUCCESS;
	cl_uint i;

	for (i = 0; code == CL_SUCCESS && i < c->num_args; i++)
		code = kernel_check_arg(m->clone, c->args[i].index,
		    c->args[i].size, c->args[i].value);
	for (i = 0; code == CL_SUCCESS && i < c->num_svm_args; i++)
		code = kernel_check_svm_arg(m->clone, c->svm_args[i].index,
		    c->svm_args[i].value);
	for (i = 0; code == CL_SUCCESS && i < c->num_exec_infos; i++)
		code = kernel_check_exec(m->clone, c->exec_infos[i].param,
		    c->exec_infos[i].size, c->exec_infos[i].value);
	return code;
}

/* What an update leaves of a launch's index space. */
static struct range
changed_range(const struct mutable_command *m,
    const struct khr_dispatch_config *c)
{
	return (struct range){ m->dim,
	    c->global_work_offset != NULL ? c->global_work_offset : m->offset,
	    c->global_work_size != NULL ? c->global_work_size :
	    m->has_global ? m->global : NULL,
	    c->local_work_size != NULL ? c->local_work_size :
	    m->has_local ? m->local : NULL };
}

static bool
is_uniform(const struct range *r)
{
	cl_uint i;

	for (i = 0; r->global != NULL && r->local != NULL && i < r->dim; i++)
		if (r->local[i] != 0 && r->global[i] % r->local[i] != 0)
			return false;
	return true;
}

static cl_int
check_config(const struct command_buffer *b,
    const struct khr_dispatch_config *c)
{
	const struct khr_dispatch_config none = { 0 };
	const struct mutable_command *m;
	struct range before, after;
	cl_int code;

	m = (struct mutable_command *)object_check(c->command,
	    OBJ_MUTABLE_COMMAND);
	if (m == NULL || m->buffer != b)
		return CL_INVALID_MUTABLE_COMMAND_KHR;
	if ((code = check_fields(m, c)) != CL_SUCCESS ||
	    (code = check_args(m, c)) != CL_SUCCESS)
		return code;
	before = changed_range(m, &none);
	after = changed_range(m, c);
	if (is_uniform(&before) != is_uniform(&after))
		return CL_INVALID_OPERATION;
	return launch_check(m->clone, b->queue, &after);
}

static cl_int
check_update(const struct command_buffer *b, cl_uint n, const cl_uint *types,
    const void **configs)
{
	cl_int code = CL_SUCCESS;
	cl_uint i;

	if (!b->finalized || !(b->flags & CL_COMMAND_BUFFER_MUTABLE_KHR))
		return CL_INVALID_OPERATION;
	if (!list_ok(n, types) || !list_ok(n, configs))
		return CL_INVALID_VALUE;
	for (i = 0; i < n; i++)
		if (types[i] != KHR_UPDATE_DISPATCH_CONFIG ||
		    configs[i] == NULL)
			return CL_INVALID_VALUE;
	for (i = 0; code == CL_SUCCESS && i < n; i++)
		code = check_config(b, configs[i]);
	return code;
}

/* ---- carrying it out --------------------------------------------------- */

static cl_int
set_args(struct mutable_command *m, const struct khr_dispatch_config *c)
{
	cl_kernel k = (cl_kernel)(void *)m->clone;
	cl_int code = CL_SUCCESS;
	cl_uint i;

	for (i = 0; code == CL_SUCCESS && i < c->num_args; i++)
		code = icd_clSetKernelArg(k, c->args[i].index,
		    c->args[i].size, c->args[i].value);
	for (i = 0; code == CL_SUCCESS && i < c->num_svm_args; i++)
		code = icd_clSetKernelArgSVMPointer(k, c->svm_args[i].index,
		    c->svm_args[i].value);
	for (i = 0; code == CL_SUCCESS && i < c->num_exec_infos; i++)
		code = icd_clSetKernelExecInfo(k, c->exec_infos[i].param,
		    c->exec_infos[i].size, c->exec_infos[i].value);
	return code;
}

static cl_int
send_update(struct mutable_command *m, const struct khr_dispatch_config *c)
{
	struct kernel *k = m->clone;
	struct msg_command_update u = {
		.command_buffer.id = m->buffer->o.id,
		.command = m->number,
		.global_work_offset = launch_sizes(c->global_work_offset,
		    m->dim),
		.global_work_size = launch_sizes(c->global_work_size, m->dim),
		.local_work_size = launch_sizes(c->local_work_size, m->dim),
	};
	cl_int code;

	pthread_mutex_lock(&k->lock);
	if ((code = launch_gather(k, NULL, &u.args)) != CL_SUCCESS) {
		pthread_mutex_unlock(&k->lock);
		return code;
	}
	code = call_async(&desc_command_update, &u, 0);
	if (code == CL_SUCCESS)
		launch_sent(k, &u.args);
	launch_give_back(k);
	pthread_mutex_unlock(&k->lock);
	return code;
}

static cl_int
update(struct mutable_command *m, const struct khr_dispatch_config *c)
{
	bool was_incomplete = m->clone->unset > 0;
	cl_int code = set_args(m, c);

	if (code == CL_SUCCESS)
		code = send_update(m, c);
	if (was_incomplete && m->clone->unset == 0)
		m->buffer->incomplete--;
	if (code != CL_SUCCESS)
		return code;
	copy_sizes(m->offset, c->global_work_offset, m->dim);
	copy_sizes(m->global, c->global_work_size, m->dim);
	copy_sizes(m->local, c->local_work_size, m->dim);
	m->has_global |= c->global_work_size != NULL;
	m->has_local |= c->local_work_size != NULL;
	return CL_SUCCESS;
}

cl_int
icd_clUpdateMutableCommandsKHR(struct _cl_command_buffer_khr *command_buffer,
    cl_uint num_configs, const cl_uint *config_types, const void **configs)
{
	struct command_buffer *b = command_buffer_check(command_buffer);
	const struct khr_dispatch_config *c;
	cl_int code;
	cl_uint i;

	if (b == NULL)
		return CL_INVALID_COMMAND_BUFFER_KHR;
	pthread_mutex_lock(&b->lock);
	code = check_update(b, num_configs, config_types, configs);
	for (i = 0; code == CL_SUCCESS && i < num_configs; i++) {
		c = configs[i];
		code = update((struct mutable_command *)(void *)c->command, c);
	}
	pthread_mutex_unlock(&b->lock);
	return code;
}

/* ---- queries ----------------------------------------------------------- */

cl_int
query_mutable_command(struct object *o, cl_uint param, struct info_out *out)
{
	struct mutable_command *m = (struct mutable_command *)o;

	switch (param) {
	case CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR:
		return INFO_VALUE(out, cl_command_queue,
		    (void *)m->buffer->queue);
	case CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR:
		return INFO_VALUE(out, void *, m->buffer);
	case CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR:
		return INFO_VALUE(out, cl_command_type,
		    CL_COMMAND_NDRANGE_KERNEL);
	case CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR:
		return info_bytes(out, m->property,
		    m->property_count * sizeof(*m->property));
	case CL_MUTABLE_DISPATCH_KERNEL_KHR:
		return INFO_VALUE(out, cl_kernel, (void *)m->kernel);
	case CL_MUTABLE_DISPATCH_DIMENSIONS_KHR:
		return INFO_VALUE(out, cl_uint, m->dim);
	case CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR:
		return info_bytes(out, m->offset, m->dim * sizeof(size_t));
	case CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR:
		return info_bytes(out, m->global, m->dim * sizeof(size_t));
	case CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR:
		return info_bytes(out, m->local, m->dim * sizeof(size_t));
	default:
		return CL_INVALID_VALUE;
	}
}
