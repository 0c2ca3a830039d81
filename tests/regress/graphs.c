/* SPDX-License-Identifier: ISC */
/*
 * graphs FIRST COUNT - run graphs of commands of these seeds over all devices.
 * The first that fails is made smaller and printed.
 */
#include "tests/regress/graph.h"

#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
	unsigned first, count, i;
	struct world w;
	struct graph g;
	char text[256];

	if (argc != 3)
		return 2;
	first = (unsigned)strtoul(argv[1], NULL, 10);
	count = (unsigned)strtoul(argv[2], NULL, 10);
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!world_open(&w)) {
		printf("no world\n");
		return 1;
	}
	for (i = 0; i < count; i++) {
		graph_make(&g, first + i);
		if (graph_run(&w, &g, text, sizeof(text)))
			continue;
		printf("graph %u: %s; made smaller:\n", first + i, text);
		graph_shrink(&w, &g);
		graph_print(&g, &w);
		return 1;
	}
	world_close(&w);
	printf("%u graphs are right\n", count);
	return 0;
}
