/* SPDX-License-Identifier: ISC */
#include "hostd/access.h"

#include <stdlib.h>

#include "hostd/cascade.h"
#include "hostd/coherence.h"
#include "hostd/command.h"
#include "hostd/completion.h"
#include "hostd/exec_mem.h"
#include "hostd/mover.h"
#include "hostd/simulator.h"

void
access_free(struct access *a)
{
	if (a->gate != NULL)
		clReleaseEvent(a->gate);
	if (a->command != NULL)
		clReleaseEvent(a->command);
	uses_fini(&a->uses);
	object_unref(a->event);
	object_unref(a->queue);
	free(a);
}

/* ---- directories ------------------------------------------------------- */

static bool
is_valid(const struct access *a, const struct use *u)
{
	size_t at = u->at;
	uint8_t valid;

	return !u->read || replica_missing(&u->root->replica, a->member, &at,
	    u->at + u->size, &valid) == 0;
}

bool
access_all_valid(const struct access *a)
{
	unsigned i;

	for (i = 0; i < a->uses.count; i++)
		if (!is_valid(a, &a->uses.use[i]))
			return false;
	return true;
}

void
access_note_writes(struct access *a)
{
	const struct use *u;
	unsigned i;

	for (i = 0; i < a->uses.count; i++) {
		u = &a->uses.use[i];
		if (u->write)
			replica_written(&u->root->replica, a->member, u->at,
			    u->size);
	}
}

bool
access_reserve(struct access *a)
{
	unsigned i;

	for (i = 0; i < a->uses.count; i++)
		if (!replica_reserve(&a->uses.use[i].root->replica,
		    a->uses.count))
			return false;
	return true;
}

/* ---- letting go -------------------------------------------------------- */

static void
fail_event(struct access *a, cl_int code)
{
	if (a->event != NULL)
		cascade_fail(a->serve, a->event, code);
}

static void
on_command_end(struct serve *s, void *arg, cl_int status)
{
	(void)s;
	(void)status;
	access_free(arg);
}

/*
 * Vendors crash when an event goes that has failed, and what waits for it has
 * not yet.
 */
static void
free_failed(struct access *a)
{
	cl_event command = a->command;

	a->command = NULL;
	if (completion_watch(a->serve, command, on_command_end, a) !=
	    CL_SUCCESS)
		access_free(a);
}

/*
 * What fails with its wait list fails by itself, and its gate is opened: PoCL
 * gives up a command once for each event that has failed.
 */
static void
let_go(struct access *a)
{
	cl_int code = a->error;

	if (code == CL_SUCCESS && !access_reserve(a))
		code = CL_OUT_OF_HOST_MEMORY;
	if (code == CL_SUCCESS && a->cause == CL_SUCCESS)
		access_note_writes(a);
	else
		fail_event(a, code != CL_SUCCESS ? code : a->cause);
	a->queue->mixed->late--;
	if (a->event != NULL)
		a->event->late = false;
	if (a->gate != NULL && command_set_event(a->gate,
	    code != CL_SUCCESS ? code : CL_COMPLETE) != CL_SUCCESS)
		serve_fail(a->serve, VGPU_ECL, "a command can't be let go");
	simulator_run();
	if (code == CL_SUCCESS && a->cause == CL_SUCCESS) {
		access_free(a);
		return;
	}
	free_failed(a);
	completion_look_after(a->serve);
}

static void
on_moved(struct serve *s, void *arg, const struct move *m, cl_int code)
{
	struct access *a = arg;

	(void)s;
	if (code == CL_SUCCESS && !replica_reserve(&m->root->replica, 1))
		code = CL_OUT_OF_HOST_MEMORY;
	if (code == CL_SUCCESS)
		replica_copied(&m->root->replica, m->from, m->to, m->at,
		    m->size);
	else
		a->error = code;
	if (--a->moves == 0)
		let_go(a);
}

static unsigned
lowest(uint8_t members)
{
	return (unsigned)__builtin_ctz(members);
}

/* Copies may end at once, but change no directory's other ranges. */
static void
move_missing(struct access *a, const struct use *u)
{
	struct move m = { .root = u->root, .to = a->member, .at = u->at };
	uint8_t valid;

	while ((m.size = replica_missing(&u->root->replica, a->member, &m.at,
	    u->at + u->size, &valid)) != 0) {
		m.from = lowest(valid);
		a->moves++;
		mover_start(a->serve, &m, on_moved, a);
		m.at += m.size;
	}
}

void
access_admit(struct serve *s, void *arg)
{
	struct access *a = arg;
	unsigned i;

	(void)s;
	if (a->dropped) {
		access_free(a);
		return;
	}
	a->moves = 1;
	for (i = 0; a->cause == CL_SUCCESS && i < a->uses.count; i++)
		if (a->uses.use[i].read)
			move_missing(a, &a->uses.use[i]);
	if (--a->moves == 0)
		let_go(a);
}

void
access_on_ready(struct serve *s, void *arg, cl_int status)
{
	struct access *a = arg;

	if (status < 0)
		a->cause = status;
	serve_defer(s, access_admit, a);
}

void
access_drop(struct access *a)
{
	a->dropped = true;
	if (!a->awaited)
		access_free(a);
}
