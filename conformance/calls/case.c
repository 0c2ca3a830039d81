/* SPDX-License-Identifier: ISC */
#include "conformance/calls/case.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/calls/calls.h"
#include "conformance/calls/code.h"


struct case_state *case_state;
unsigned case_seconds = 60;
static const char *call_name;
/* What a call has to overwrite, or leave alone. */
static const cl_int untouched = 0x7badc0de;
static char untouched_event;

bool
case_open(void)
{
	void *p = mmap(NULL, sizeof(*case_state), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	case_state = p;
	return p != MAP_FAILED;
}

void
case_call(const char *name)
{
	case_state->index = 0;
	case_state->told = true;
	snprintf(case_state->what, sizeof(case_state->what), "first steps");
	call_name = name;
}

/* Was this case told by an earlier child?  The last deadly one was. */
static bool
is_old(unsigned index)
{
	const struct case_state *s = case_state;

	return s->deadly_count > 0 && index <= s->deadly[s->deadly_count - 1];
}

static void
tell(unsigned *counter, const char *result, const char *format, ...)
{
	va_list ap;

	case_state->told = true;
	if (is_old(case_state->index))
		return;
	++*counter;
	printf("%s %s: %s", result, call_name, case_state->what);
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
}

static void
pass(void)
{
	tell(&case_state->passed, "ok", "%s", "");
}

static void
fail(const char *why)
{
	tell(&case_state->failed, "not ok", ": %s", why);
}

bool
case_begin(struct world *w, const char *what)
{
	struct case_state *s = case_state;
	unsigned i;

	snprintf(s->what, sizeof(s->what), "%s", what);
	s->index++;
	s->told = false;
	for (i = 0; i < s->deadly_count; i++)
		if (s->deadly[i] == s->index)
			return false;
	alarm(case_seconds);
	w->err = untouched;
	w->done = (cl_event)(void *)&untouched_event;
	return true;
}

static bool
allowed(cl_int got, const cl_int *want, size_t n)
{
	while (n > 0)
		if (want[--n] == got)
			return true;
	return false;
}

void
case_end(cl_int got, const cl_int *want, size_t n)
{
	char list[256] = "";
	size_t i, end = 0;

	if (allowed(got, want, n)) {
		pass();
		return;
	}
	for (i = 0; i < n && end < sizeof(list); i++)
		end += (size_t)snprintf(list + end, sizeof(list) - end, "%s%s",
		    i > 0 ? " or " : "", code_name(want[i]));
	tell(&case_state->failed, "not ok", ": got %s, specification %s",
	    code_name(got), list);
}

void
case_end_new(struct world *w, const void *object, const cl_int *want, size_t n)
{
	if (w->err == untouched)
		fail("errcode_ret was not written");
	else if (object == NULL && w->err == CL_SUCCESS)
		fail("got CL_SUCCESS and no object");
	else if (object != NULL && w->err != CL_SUCCESS)
		fail("got an error and an object");
	else
		case_end(w->err, want, n);
}

void
case_end_event(struct world *w, cl_int got, const cl_int *want, size_t n)
{
	const bool same = w->done == (cl_event)(void *)&untouched_event;

	if (got == CL_SUCCESS && (same || w->done == NULL))
		fail("got CL_SUCCESS and no event");
	else if (got != CL_SUCCESS && !same)
		fail("got an error, and the event was written");
	else
		case_end(got, want, n);
	if (got == CL_SUCCESS && !same && w->done != NULL)
		clReleaseEvent(w->done);
}

void
case_end_is(bool condition)
{
	if (condition)
		pass();
	else
		fail("it is not so");
}

void
skip(struct world *w, const char *what, const char *why)
{
	if (case_begin(w, what))
		tell(&case_state->skipped, "skip", ": %s", why);
}

bool
older(struct world *w, unsigned version)
{
	char why[64];

	if (w->version >= version)
		return false;
	snprintf(why, sizeof(why), "OpenCL %u.%u, the device has %u.%u",
	    version / 10, version % 10, w->version / 10, w->version % 10);
	skip(w, "all", why);
	return true;
}

void
must(cl_int code, const char *what)
{
	struct case_state *s = case_state;

	if (code == CL_SUCCESS)
		return;
	snprintf(s->what, sizeof(s->what), "%s", what);
	s->index = UINT_MAX;
	tell(&s->failed, "not ok", ": got %s, the rest is left out",
	    code_name(code));
	exit(0);
}

bool
case_killed(const char *name, const char *by)
{
	struct case_state *s = case_state;
	/* What happens behind a case may be the doing of any before it. */
	const bool blamed = !s->told && s->deadly_count < CASE_DEADLY;

	call_name = name;
	if (s->told && s->index > 0)
		snprintf(s->what, sizeof(s->what), "after case %u", s->index);
	tell(&s->failed, "not ok", ": killed by %s", by);
	if (blamed)
		s->deadly[s->deadly_count++] = s->index;
	return blamed;
}
