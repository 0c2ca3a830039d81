/* SPDX-License-Identifier: ISC */
/*
 * A client that says every message there is with all kinds of values: ids of
 * objects that exist, and numbers, arrays, texts that nobody sane would send.
 * The session answers on, or ends with a reason; the sanitizers see the rest.
 */
#include <string.h>

#include "hostd/calls.h"
#include "tests/replay/objects.h"

#define VARIATIONS 60	/* of each message */
#define BATCH 6		/* said before the host is asked whether it lives */
#define FAKE "devices 4 gpu"
#define SOURCE "kernel void copy(global int *in, global int *out) {}\n" \
	"kernel void say(int n) {}\n"

static uint64_t known[OBJ_KIND_COUNT][2];	/* ids to be used */
static bool ended;

/* ---- numbers ------------------------------------------------------------- */

/* Marsaglia's xorshift64; the same numbers in each run. */
static uint64_t
pick(uint64_t n)
{
	static uint64_t x = 0x2545f4914f6cdd1d;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x % n;
}

static uint64_t
any_number(void)
{
	static const uint64_t numbers[] = { 0, 1, 2, 3, 4, 8, 16, 64, 1000,
		4096, 65536, INT32_MAX, 1u << 31, UINT32_MAX,
		(uint64_t)1 << 32, (uint64_t)1 << 40, INT64_MAX,
		(uint64_t)1 << 63, UINT64_MAX - 4095, UINT64_MAX };

	return numbers[pick(sizeof(numbers) / sizeof(numbers[0]))];
}

/* ---- a message ----------------------------------------------------------- */

#define ELEMENTS 4
#define BYTES 100

static uint64_t elements[CODEC_FIELDS_MAX][ELEMENTS];
static const struct message *saying;
static struct span spans[CODEC_FIELDS_MAX][ELEMENTS];
static struct arg args[ELEMENTS];
static uint64_t values[ELEMENTS];
static char letters[BYTES];

static uint64_t
any_id(const struct field *f)
{
	if (f->flags & FIELD_NEW)
		return pick(8) == 0 && (f->flags & FIELD_MAY_NULL) ? 0 :
		    new_id();
	if ((f->flags & FIELD_MAY_NULL) && pick(3) == 0)
		return 0;
	return known[f->object][pick(2)];
}

static uint64_t
any_scalar(const struct field *f)
{
	uint64_t v = any_number();

	if (f->kind == FIELD_U32)
		return (uint32_t)v;
	if (f->kind == FIELD_I32)
		return (uint64_t)(int64_t)(int32_t)v;
	/* What stops all that follows until a body comes that never comes. */
	if (strcmp(f->name, "transfer") == 0)
		return strncmp(saying->name, "clCreate", 8) == 0 ||
		    strcmp(saying->name, "usm_push") == 0 ? 0 : pick(4);
	return v;
}

static struct span
any_bytes(void)
{
	return (struct span){ letters, pick(BYTES) };
}

static struct span
any_array(const struct field *f, unsigned i, const uint8_t *msg)
{
	uint64_t n = pick(ELEMENTS + 1), k;

	if (f[i].length > 0)
		n = f[i].length;
	if (f[i].length_field >= 0)
		memcpy(&n, msg + f[f[i].length_field].offset, sizeof(n));
	if ((f[i].flags & FIELD_MAY_NULL) && pick(4) == 0)
		n = 0;
	for (k = 0; k < n && k < ELEMENTS; k++)
		elements[i][k] = f[i].kind == FIELD_IDS ?
		    known[f[i].object][pick(2)] : any_number();
	return (struct span){ elements[i], n < ELEMENTS ? n : ELEMENTS };
}

static struct span
any_list(unsigned i)
{
	uint64_t n = pick(ELEMENTS + 1), k;

	for (k = 0; k < n; k++)
		spans[i][k] = any_bytes();
	return (struct span){ spans[i], n };
}

/* Mostly such as the kernels have; others end the session. */
static struct span
any_args(void)
{
	uint64_t n = pick(3), k;

	for (k = 0; k < n; k++) {
		values[k] = pick(10) == 0 ? any_number() :
		    known[OBJ_MEM][pick(2)];
		args[k].index = (uint32_t)pick(pick(10) == 0 ? 100 : 2);
		args[k].kind = pick(10) == 0 ? (uint32_t)pick(ARG_KIND_COUNT) :
		    ARG_MEM;
		args[k].size = args[k].kind == ARG_VALUE ? 1 + pick(8) : 8;
		args[k].value = args[k].kind == ARG_LOCAL ? NULL : &values[k];
	}
	return (struct span){ args, n };
}

static void
fill_field(const struct field *f, unsigned i, uint8_t *msg)
{
	struct span *span = (void *)(msg + f[i].offset);
	uint64_t *scalar = (void *)(msg + f[i].offset);

	switch ((enum field_kind)f[i].kind) {
	case FIELD_U64:
	case FIELD_U32:
	case FIELD_I32:
		*scalar = any_scalar(&f[i]);
		break;
	case FIELD_ID:
		*scalar = any_id(&f[i]);
		break;
	case FIELD_STRING:
	case FIELD_BYTES:
		*span = any_bytes();
		break;
	case FIELD_U64S:
	case FIELD_IDS:
		*span = any_array(f, i, msg);
		break;
	case FIELD_LIST:
	case FIELD_STRINGS:
		*span = any_list(i);
		break;
	case FIELD_ARGS:
		*span = any_args();
		break;
	}
}

/* A scalar that says an array's length is a small one. */
static void
fix_lengths(const struct message *m, uint8_t *msg)
{
	const uint64_t n = 1 + pick(3);
	unsigned i;

	for (i = 0; i < m->field_count; i++)
		if (m->fields[i].length_field >= 0)
			memcpy(msg + m->fields[m->fields[i].length_field].
			    offset, &n, sizeof(n));
}

static void
say_any(const struct message *m)
{
	static const unsigned flags[] = { 0, 0, FRAME_NOTIFY, FRAME_CONFIRM,
		FRAME_PULL, 0xffff };
	uint64_t msg[64] = { 0 };
	unsigned i;

	saying = m;
	fix_lengths(m, (uint8_t *)msg);
	for (i = 0; i < m->field_count; i++) {
		uint64_t *slot = (void *)((uint8_t *)msg +
		    m->fields[i].offset);

		if (m->fields[i].kind == FIELD_U32 && *slot != 0)
			continue;	/* a length */
		fill_field(m->fields, i, (uint8_t *)msg);
	}
	say(m, msg, flags[pick(sizeof(flags) / sizeof(flags[0]))]);
}

/* ---- a session ----------------------------------------------------------- */

static void
know(enum obj_kind kind, uint64_t one, uint64_t other)
{
	known[kind][0] = one;
	known[kind][1] = other;
}

static void
begin(void)
{
	uint64_t c, p;

	host_start_ready(FAKE);
	ended = false;
	c = context();
	know(OBJ_DEVICE, DEVICE(0), DEVICE(1));
	know(OBJ_CONTEXT, c, c);
	know(OBJ_QUEUE, queue(c, CL_QUEUE_PROFILING_ENABLE),
	    queue(c, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE));
	know(OBJ_MEM, buffer(c, 4096), buffer(c, 64));
	p = program(c, SOURCE);
	know(OBJ_PROGRAM, p, p);
	know(OBJ_KERNEL, kernel(p, "copy"), kernel(p, "say"));
	know(OBJ_EVENT, user_event(c), marker(known[OBJ_QUEUE][0],
	    AFTER_NOTHING, QUIET));
	/* Never made: uses of it are of a poisoned object. */
	know(OBJ_SAMPLER, c, c);
}

/* Does it answer still?  If it said goodbye, see it end. */
static void
expect_alive(void)
{
	const struct msg_clGetHostTimer m = { .device = { .id = DEVICE(0) } };
	uint64_t serial = say(&desc_clGetHostTimer, &m, 0);
	const struct heard *h;

	do {
		h = hear();
		if (h->message == &desc_goodbye) {
			ended = true;
			host_leave();
			return;
		}
	} while (h->message != &desc_clGetHostTimer || h->serial != serial);
}

static void
try_out(const struct message *m)
{
	unsigned i, k;

	for (i = 0; i < VARIATIONS; i += BATCH) {
		if (ended)
			begin();
		hold();
		for (k = 0; k < BATCH; k++)
			say_any(m);
		let_go();
		expect_alive();
	}
}

static void
every_message_with_any_values_does_no_harm(void **state)
{
	unsigned i;

	(void)state;
	memset(letters, 'x', sizeof(letters));
	ended = true;
	for (i = 0; i < message_list_count; i++)
		if (exec_find(message_list[i]->number) != NULL)
			try_out(message_list[i]);
	if (!ended)
		host_leave();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SCENARIO(every_message_with_any_values_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
