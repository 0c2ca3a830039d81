/* SPDX-License-Identifier: ISC */
#include "conformance/calls/rects.h"

#include <stdint.h>
#include <stdio.h>

static const size_t zero[3] = { 0, 0, 0 }, small[3] = { 8, 4, 2 };

static void
side_case(struct world *w, const char *name, const char *what,
    side_function *run, const struct side *s, cl_int code)
{
	char text[96];

	snprintf(text, sizeof(text), "%s: %s", name, what);
	WANT_EVENT(w, text, run(w, s, &w->done), code);
}

static const struct {
	const char *what;
	size_t row, slice;
	cl_int code;
} pitches[] = {
	{ "row pitch too short", 7, 0, CL_INVALID_VALUE },
	{ "slice pitch too short", 8, 31, CL_INVALID_VALUE },
	{ "slice pitch shorter than its rows", 16, 48, CL_INVALID_VALUE },
	{ "slice pitch not of whole rows", 16, 72, CL_INVALID_VALUE },
	{ "slice pitch not of whole rows, which are computed", 0, 33,
	    CL_INVALID_VALUE },
	{ "no pitches", 0, 0, CL_SUCCESS },
	{ "the least pitches", 8, 32, CL_SUCCESS },
	{ "a row pitch", 10, 0, CL_SUCCESS },
	{ "a slice pitch", 0, 40, CL_SUCCESS },
	{ "both pitches", 10, 60, CL_SUCCESS },
};

static const struct {
	const char *what;
	size_t origin[3], region[3];
	size_t row, slice;
	cl_int code;
} bounds[] = {
	{ "one row too long", { 0, 0, 0 }, { WORLD_SIZE + 1, 1, 1 }, 0, 0,
	    CL_INVALID_VALUE },
	{ "beyond the end in x", { WORLD_SIZE, 0, 0 }, { 1, 1, 1 }, 0, 0,
	    CL_INVALID_VALUE },
	{ "beyond the end in y", { 0, 64, 0 }, { 1, 1, 1 }, 64, 0,
	    CL_INVALID_VALUE },
	{ "beyond the end in z", { 0, 0, 4 }, { 1, 1, 1 }, 64, 1024,
	    CL_INVALID_VALUE },
	{ "last row beyond the end", { 32, 63, 0 }, { 33, 1, 1 }, 64, 0,
	    CL_INVALID_VALUE },
	{ "rows that overflow", { 0, 2, 0 }, { 1, 1, 1 }, SIZE_MAX / 2 + 1, 0,
	    CL_INVALID_VALUE },
	{ "slices that overflow", { 0, 0, 2 }, { 1, 1, 1 }, 1,
	    SIZE_MAX / 2 + 1, CL_INVALID_VALUE },
	{ "x that overflows", { SIZE_MAX, 0, 0 }, { 2, 1, 1 }, 0, 0,
	    CL_INVALID_VALUE },
	{ "all of it", { 0, 0, 0 }, { 64, 16, 4 }, 0, 0, CL_SUCCESS },
	{ "the last byte", { 63, 15, 3 }, { 1, 1, 1 }, 64, 1024, CL_SUCCESS },
	{ "the end of the last row", { 32, 63, 0 }, { 32, 1, 1 }, 64, 0,
	    CL_SUCCESS },
};

void
side_cases(struct world *w, const char *name, bool is_buffer,
    side_function *run)
{
	struct side s = { NULL, small, 0, 0 };
	size_t region[3], i;

	side_case(w, name, "no origin", run, &s, CL_INVALID_VALUE);
	s = (struct side){ zero, NULL, 0, 0 };
	side_case(w, name, "no region", run, &s, CL_INVALID_VALUE);
	for (i = 0; i < 3; i++) {
		region[0] = region[1] = region[2] = 1;
		region[i] = 0;
		s = (struct side){ zero, region, 0, 0 };
		side_case(w, name, i == 0 ? "nothing in x" : i == 1 ?
		    "nothing in y" : "nothing in z", run, &s,
		    CL_INVALID_VALUE);
	}
	for (i = 0; i < sizeof(pitches) / sizeof(pitches[0]); i++) {
		s = (struct side){ zero, small, pitches[i].row,
			pitches[i].slice };
		side_case(w, name, pitches[i].what, run, &s,
		    pitches[i].code);
	}
	for (i = 0; is_buffer && i < sizeof(bounds) / sizeof(bounds[0]);
	    i++) {
		s = (struct side){ bounds[i].origin, bounds[i].region,
			bounds[i].row, bounds[i].slice };
		side_case(w, name, bounds[i].what, run, &s, bounds[i].code);
	}
}
