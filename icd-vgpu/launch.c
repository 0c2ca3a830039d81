/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/launch.h"

#include "icd-vgpu/calls.h"
#include "icd-vgpu/context.h"
#include "icd-vgpu/mem.h"
#include "icd-vgpu/platform.h"
#include "icd-vgpu/usm.h"

/* Use what an argument holds, if the command may. */
static cl_int
use_object(const struct command *c, const struct kernel_arg *arg)
{
	cl_int code;

	if (arg->object == NULL)
		return CL_SUCCESS;
	if (!object_use_live(arg->object))
		return CL_INVALID_KERNEL_ARGS;
	if (c != NULL && arg->object->kind == OBJ_MEM)
		code = mem_check_command(c, (struct mem *)arg->object);
	else
		code = atomic_load(&arg->object->error);
	if (code != CL_SUCCESS)
		object_unuse(arg->object);
	return code;
}

/* End the uses of the first n arguments. */
static void
give_back(struct kernel *k, cl_uint n)
{
	cl_uint i;

	for (i = 0; i < n; i++)
		object_unuse(k->arg[i].object);
}

void
launch_give_back(struct kernel *k)
{
	give_back(k, k->shape->arg_count);
}

cl_int
launch_gather(struct kernel *k, const struct command *c, struct span *out)
{
	struct kernel_arg *arg;
	struct arg *to = k->changed;
	cl_uint i;
	cl_int code;

	for (i = 0; i < k->shape->arg_count; i++) {
		arg = &k->arg[i];
		if ((code = use_object(c, arg)) != CL_SUCCESS) {
			give_back(k, i);
			return code;
		}
		if (arg->changed)
			*to++ = (struct arg){ .index = i, .kind = arg->kind,
				.size = arg->size,
				.value = arg->kind == ARG_VALUE ?
				(const void *)arg->value : &arg->word };
	}
	*out = (struct span){ k->changed, (uint64_t)(to - k->changed) };
	return CL_SUCCESS;
}

void
launch_sent(struct kernel *k, const struct span *sent)
{
	const struct arg *arg = sent->p;
	uint64_t i;

	for (i = 0; i < sent->n; i++)
		k->arg[arg[i].index].changed = false;
}

/* With the kernel's lock held, so that no other launch comes between. */
static cl_int
launch_send(struct command *c, struct kernel *k, const struct range *r)
{
	struct msg_clEnqueueNDRangeKernel m;
	cl_int code;

	if ((code = launch_gather(k, c, &m.args)) != CL_SUCCESS)
		return command_drop(c, code);
	m.command_queue.id = c->queue->o.id;
	m.kernel.id = k->o.id;
	m.work_dim = r->dim;
	m.global_work_offset = launch_sizes(r->offset, r->dim);
	m.global_work_size = launch_sizes(r->global, r->dim);
	m.local_work_size = launch_sizes(r->local, r->dim);
	m.event_wait_list = c->list;
	m.event = c->event_id;
	code = command_send(c, &desc_clEnqueueNDRangeKernel, &m, NULL);
	if (code == CL_SUCCESS)
		launch_sent(k, &m.args);
	launch_give_back(k);
	return code;
}

/* With the kernel's lock held. What is recorded touches nothing yet. */
static cl_int
launch_locked(struct queue *q, struct kernel *k, cl_command_type type,
    struct range *r, cl_uint n, const cl_event *list, cl_event *event)
{
	struct command_options o = { .type = type };
	struct usm_set touched;
	struct command c;
	cl_int code;

	if (k->unset > 0 && !q->unset_ok)
		return CL_INVALID_KERNEL_ARGS;
	if ((code = usm_set_of_kernel(&touched, k)) != CL_SUCCESS)
		return code;
	o.need_event = q->records == NULL && !usm_set_is_empty(&touched);
	code = command_open(&c, (cl_command_queue)(void *)q, &o, n, list,
	    event);
	if (code == CL_SUCCESS) {
		c.usm = o.need_event ? &touched : NULL;
		code = launch_send(&c, k, r);
	}
	usm_set_fini(&touched);
	return code;
}

static cl_int
launch(cl_command_queue command_queue, cl_kernel kernel,
    cl_command_type type, struct range *r, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct queue *q = (struct queue *)object_check(command_queue,
	    OBJ_QUEUE);
	struct kernel *k = kernel_check(kernel);
	cl_int code;

	if (q == NULL || q->on_device)
		return CL_INVALID_COMMAND_QUEUE;
	if (k == NULL)
		return CL_INVALID_KERNEL;
	if ((code = launch_check(k, q, r)) != CL_SUCCESS)
		return code;
	pthread_mutex_lock(&k->lock);
	code = launch_locked(q, k, type, r, n, list, event);
	pthread_mutex_unlock(&k->lock);
	return code;
}

cl_int
icd_clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel,
    cl_uint work_dim, const size_t *global_work_offset,
    const size_t *global_work_size, const size_t *local_work_size,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
    cl_event *event)
{
	return launch(command_queue, kernel, CL_COMMAND_NDRANGE_KERNEL,
	    &(struct range){ work_dim, global_work_offset, global_work_size,
	    local_work_size }, num_events_in_wait_list, event_wait_list,
	    event);
}

cl_int
icd_clEnqueueTask(cl_command_queue command_queue, cl_kernel kernel,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
    cl_event *event)
{
	const size_t one = 1;

	return launch(command_queue, kernel, CL_COMMAND_TASK,
	    &(struct range){ 1, NULL, &one, &one }, num_events_in_wait_list,
	    event_wait_list, event);
}

/* ---- native kernels ---------------------------------------------------- */

/* Objects need arguments that they are in, and those a size (5.10). */
static bool
native_args_match(const void *args, size_t size, cl_uint n,
    const cl_mem *list, const void **places)
{
	const bool objects = n > 0;

	return (args != NULL) == (size > 0) && (args != NULL || !objects) &&
	    (list != NULL) == objects && (places != NULL) == objects;
}

/* A function of the client can't run on the host's device. */
cl_int
icd_clEnqueueNativeKernel(cl_command_queue command_queue,
    pfn_native user_func, void *args, size_t cb_args,
    cl_uint num_mem_objects, const cl_mem *mem_list,
    const void **args_mem_loc, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
	struct command c;
	cl_int code = command_open(&c, command_queue,
	    &(struct command_options){ .type = CL_COMMAND_NATIVE_KERNEL },
	    num_events_in_wait_list, event_wait_list, event);

	if (code != CL_SUCCESS)
		return code;
	if (user_func == NULL || !native_args_match(args, cb_args,
	    num_mem_objects, mem_list, args_mem_loc))
		return command_drop(&c, CL_INVALID_VALUE);
	return command_drop(&c, CL_INVALID_OPERATION);
}
