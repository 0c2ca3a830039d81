/* SPDX-License-Identifier: ISC */
#include "tests/replay/content.h"

uint64_t b;
uint8_t content[SIZE], longer[2 * SERVE_INLINE_MAX];

void
begin_bodies(const char *script)
{
	size_t i;

	for (i = 0; i < sizeof(content); i++)
		content[i] = (uint8_t)(i * 7 + i / 256);
	for (i = 0; i < sizeof(longer); i++)
		longer[i] = (uint8_t)(i * 5 + i / 256);
	host_start_ready(script);
	join();
	c = context();
	q = queue(c, 0);
	b = buffer(c, sizeof(longer));
}

void
expect_content(const void *p, size_t size)
{
	uint64_t e = read_buffer(q, b, 0, size, 99, AFTER_NOTHING, TELL);

	expect_data(99, p, size);
	expect_status(e, CL_COMPLETE);
}
