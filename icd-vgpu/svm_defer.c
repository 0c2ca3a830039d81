/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/svm_defer.h"

#include <stdlib.h>

#include "icd-vgpu/calls.h"
#include "icd-vgpu/command.h"
#include "icd-vgpu/context.h"
#include "protocol/messages.h"

struct work {
	struct deferred d;
	cl_event done;		/* the user event; a reference */
};

static void CL_CALLBACK
work_run(cl_event before, cl_int status, void *arg)
{
	struct work *w = arg;

	(void)before;
	if (status == CL_COMPLETE)
		w->d.run(w->d.arg);
	icd_clSetUserEventStatus(w->done, status);
	icd_clReleaseEvent(w->done);
	w->d.free(w->d.arg);
	free(w);
}

static struct work *
work_new(const struct deferred *d, const struct queue *q, cl_int *code)
{
	struct work *w = malloc(sizeof(*w));

	*code = CL_OUT_OF_HOST_MEMORY;
	if (w == NULL)
		return NULL;
	w->d = *d;
	w->done = icd_clCreateUserEvent((cl_context)(void *)q->context, code);
	if (w->done != NULL)
		return w;
	free(w);
	return NULL;
}

cl_int
svm_defer(cl_command_queue queue, const struct deferred *d, cl_uint n,
    const cl_event *list, cl_event *event)
{
	struct queue *q = (struct queue *)object_check(queue, OBJ_QUEUE);
	struct work *w;
	cl_event before, done;
	cl_int code;

	code = command_empty(queue,
	    &(struct command_options){ .type = CL_COMMAND_MARKER }, n, list,
	    &before);
	if (code != CL_SUCCESS) {
		d->free(d->arg);
		return code;
	}
	if ((w = work_new(d, q, &code)) == NULL) {
		d->free(d->arg);
		icd_clReleaseEvent(before);
		return code;
	}
	done = w->done;
	icd_clRetainEvent(done);
	code = icd_clSetEventCallback(before, CL_COMPLETE, work_run, w);
	if (code == CL_SUCCESS) {
		/* The command that the program sees. */
		code = command_empty(queue, &(struct command_options){
		    d->type, d->blocking, false }, 1, &done, event);
	} else {
		work_run(before, code, w);
	}
	icd_clReleaseEvent(done);
	icd_clReleaseEvent(before);
	return code;
}
