/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/spirv.h"

#include <string.h>

#define MAGIC 0x07230203u
#define HEAD_WORDS 5
#define WORD sizeof(uint32_t)

enum {
	OP_TYPE_INT = 21, OP_TYPE_FLOAT = 22,
	OP_SPEC_CONSTANT_TRUE = 48, OP_SPEC_CONSTANT_FALSE = 49,
	OP_SPEC_CONSTANT = 50, OP_DECORATE = 71
};
#define DECORATION_SPEC_ID 1

struct module {
	const uint8_t *p;
	size_t words;
	bool swapped;	/* written on a machine of the other byte order */
};

/* One instruction: its words, the first of which is number and length. */
struct instruction {
	uint32_t op;
	size_t at, words;
};

static uint32_t
word_at(const struct module *m, size_t i)
{
	uint32_t w;

	memcpy(&w, m->p + i * WORD, WORD);
	return m->swapped ? __builtin_bswap32(w) : w;
}

static bool
module_open(struct module *m, const void *p, size_t len)
{
	*m = (struct module){ p, len / WORD, false };
	if (len % WORD != 0 || m->words < HEAD_WORDS)
		return false;
	m->swapped = word_at(m, 0) != MAGIC;
	return word_at(m, 0) == MAGIC;
}

/* The instruction behind i, at first the head; false: none, or not whole. */
static bool
next_instruction(const struct module *m, struct instruction *i)
{
	uint32_t w;

	i->at = i->words == 0 ? HEAD_WORDS : i->at + i->words;
	if (i->at >= m->words)
		return false;
	w = word_at(m, i->at);
	i->op = w & 0xffff;
	i->words = w >> 16;
	return i->words > 0 && i->words <= m->words - i->at;
}

bool
spirv_is_module(const void *p, size_t len)
{
	struct instruction i = { 0 };
	struct module m;

	if (!module_open(&m, p, len))
		return false;
	while (next_instruction(&m, &i))
		;
	return i.at == m.words;
}

/* The id that has this SpecId; 0 is no id. */
static uint32_t
find_decorated(const struct module *m, uint32_t spec_id)
{
	struct instruction i = { 0 };

	while (next_instruction(m, &i))
		if (i.op == OP_DECORATE && i.words == 4 &&
		    word_at(m, i.at + 2) == DECORATION_SPEC_ID &&
		    word_at(m, i.at + 3) == spec_id)
			return word_at(m, i.at + 1);
	return 0;
}

/* The size of an integer or floating-point type. */
static size_t
type_size(const struct module *m, uint32_t type)
{
	struct instruction i = { 0 };

	while (next_instruction(m, &i))
		if ((i.op == OP_TYPE_INT || i.op == OP_TYPE_FLOAT) &&
		    i.words >= 3 && word_at(m, i.at + 1) == type)
			return word_at(m, i.at + 2) / 8;
	return 0;
}

size_t
spirv_constant_size(const void *p, size_t len, uint32_t spec_id)
{
	struct instruction i = { 0 };
	struct module m;
	uint32_t id;

	if (!module_open(&m, p, len) ||
	    (id = find_decorated(&m, spec_id)) == 0)
		return 0;
	while (next_instruction(&m, &i)) {
		if (i.words < 3 || word_at(&m, i.at + 2) != id)
			continue;
		/* A bool is set by one byte (OpenCL 3.0, 5.8.1). */
		if (i.op == OP_SPEC_CONSTANT_TRUE ||
		    i.op == OP_SPEC_CONSTANT_FALSE)
			return 1;
		if (i.op == OP_SPEC_CONSTANT)
			return type_size(&m, word_at(&m, i.at + 1));
	}
	return 0;
}
