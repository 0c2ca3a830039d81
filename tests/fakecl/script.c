/* SPDX-License-Identifier: ISC */
#include "tests/fakecl/script.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RULES_MAX 64
#define WORDS_MAX 16
#define AT_PROBE "clIcdGetPlatformIDsKHR"

enum action { ACT_FAIL, ACT_END, ACT_HANG, ACT_CRASH };

struct rule {
	enum action action;
	char call[SCRIPT_WORD];
	cl_int code;
	unsigned after;		/* calls yet to pass */
	unsigned times;		/* then these are hit */
};

#define TEXT_MAX 4096

static struct script script = { .name = "Fake", .vendor = "fakecl",
	.driver = "1", .version = 300 };
static struct rule rules[RULES_MAX];
static unsigned rule_count;
static bool unarmed;		/* under lock */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- reading ------------------------------------------------------------- */

struct statement {
	char *word[WORDS_MAX + 1];
	unsigned n;
};

static void __attribute__((noreturn))
wrong(const struct statement *s, const char *expected)
{
	fprintf(stderr, "FAKECL: %s: expected %s\n", s->word[0], expected);
	exit(2);
}

static unsigned long
number(const struct statement *s, unsigned i)
{
	char *end;
	unsigned long v;

	if (i >= s->n)
		wrong(s, "one more number");
	v = strtoul(s->word[i], &end, 10);
	if (*end != '\0')
		wrong(s, "a number");
	return v;
}

static void
copy_word(const struct statement *s, unsigned i, char *to)
{
	if (i >= s->n || strlen(s->word[i]) >= SCRIPT_WORD)
		wrong(s, "one more word, of less than 64 letters");
	strcpy(to, s->word[i]);
}

static void
read_device(const struct statement *s, unsigned i, struct script_device *d)
{
	for (; i < s->n; i += 2) {
		if (strcmp(s->word[i], "units") == 0)
			d->units = (cl_uint)number(s, i + 1);
		else if (strcmp(s->word[i], "mhz") == 0)
			d->mhz = (cl_uint)number(s, i + 1);
		else if (strcmp(s->word[i], "memory") == 0)
			d->memory = (cl_ulong)number(s, i + 1) << 20;
		else if (strcmp(s->word[i], "pace") == 0)
			d->pace = (cl_uint)number(s, i + 1);
		else
			wrong(s, "units, mhz, memory or pace");
	}
}

static void
read_devices(const struct statement *s)
{
	struct script_device d = { CL_DEVICE_TYPE_GPU, 8, 1000,
		(cl_ulong)1 << 30, 100 };
	unsigned long n = number(s, 1);

	if (s->n > 2 && strcmp(s->word[2], "cpu") == 0)
		d.type = CL_DEVICE_TYPE_CPU;
	else if (s->n > 2 && strcmp(s->word[2], "accelerator") == 0)
		d.type = CL_DEVICE_TYPE_ACCELERATOR;
	else if (s->n <= 2 || strcmp(s->word[2], "gpu") != 0)
		wrong(s, "a number and gpu, cpu or accelerator");
	read_device(s, 3, &d);
	while (n-- > 0 && script.device_count < SCRIPT_DEVICES_MAX)
		script.device[script.device_count++] = d;
}

static void
read_rule(const struct statement *s, enum action action)
{
	struct rule *r = &rules[rule_count];
	unsigned i = 2;

	if (rule_count++ == RULES_MAX)
		wrong(s, "no more rules");
	r->action = action;
	r->times = 1;
	copy_word(s, 1, r->call);
	if (strcmp(r->call, "at") == 0) {
		strcpy(r->call, AT_PROBE);
		i++;
	}
	if (action == ACT_FAIL || action == ACT_END) {
		if (s->n < 3 || (r->code = atoi(s->word[i++])) >= 0)
			wrong(s, "a call and a negative code");
	}
	for (; i < s->n; i += 2) {
		if (strcmp(s->word[i], "after") == 0)
			r->after = (unsigned)number(s, i + 1);
		else if (strcmp(s->word[i], "times") == 0)
			r->times = (unsigned)number(s, i + 1);
		else
			wrong(s, "after or times");
	}
}

static void
read_lie(const struct statement *s)
{
	static const char *const kinds[] = { [LIE_NUMBER] = "number",
		[LIE_SIZE] = "size", [LIE_ENDLESS] = "endless",
		[LIE_ABSENT] = "absent" };
	struct lie *l = &script.lie[script.lies];
	unsigned k;

	if (script.lies++ == SCRIPT_LIES_MAX || s->n < 3)
		wrong(s, "a number and a kind, and no more lies");
	l->param = (cl_uint)strtoul(s->word[1], NULL, 0);
	for (k = 0; k <= LIE_ABSENT; k++)
		if (strcmp(s->word[2], kinds[k]) == 0)
			break;
	if (k > LIE_ABSENT)
		wrong(s, "number, size, endless or absent");
	l->kind = (enum lie_kind)k;
	if (k <= LIE_SIZE)
		l->n = number(s, 3);
}

static void
read_version(const struct statement *s)
{
	if (s->n == 2 && strcmp(s->word[1], "1.2") == 0)
		script.version = 120;
	else if (s->n == 2 && strcmp(s->word[1], "2.0") == 0)
		script.version = 200;
	else if (s->n != 2 || strcmp(s->word[1], "3.0") != 0)
		wrong(s, "1.2, 2.0 or 3.0");
}

static void
read_extension(const struct statement *s)
{
	char word[SCRIPT_WORD];

	copy_word(s, 1, word);
	if (strlen(script.extensions) + strlen(word) + 2 >
	    sizeof(script.extensions))
		wrong(s, "no more extensions");
	strcat(script.extensions, " ");
	strcat(script.extensions, word);
}

/* Words that name something; a model is a name that all devices have. */
static bool
read_name(const struct statement *s)
{
	static const struct {
		const char *word;
		char *to;
	} names[] = {
		{ "name", script.name },
		{ "model", script.name },
		{ "vendor", script.vendor },
		{ "driver", script.driver },
		{ "alone", script.alone },
		{ "tally", script.tally },
		{ "here", script.here },
		{ "clash", script.clash },
		{ "hide", script.hidden },
		{ "print-on-kernel", script.print_on_kernel },
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(s->word[0], names[i].word) == 0) {
			copy_word(s, 1, names[i].to);
			if (i == 1)
				script.same_name = true;
			return true;
		}
	return false;
}

static void
read_statement(const struct statement *s)
{
	const char *w = s->word[0];

	if (read_name(s))
		return;
	if (strcmp(w, "devices") == 0)
		read_devices(s);
	else if (strcmp(w, "no-devices") == 0)
		script.no_devices = true;
	else if (strcmp(w, "lie") == 0)
		read_lie(s);
	else if (strcmp(w, "handles") == 0)
		script.handles = (cl_uint)number(s, 1);
	else if (strcmp(w, "version") == 0)
		read_version(s);
	else if (strcmp(w, "fail") == 0)
		read_rule(s, ACT_FAIL);
	else if (strcmp(w, "end") == 0)
		read_rule(s, ACT_END);
	else if (strcmp(w, "hang") == 0)
		read_rule(s, ACT_HANG);
	else if (strcmp(w, "crash") == 0)
		read_rule(s, ACT_CRASH);
	else if (strcmp(w, "extension") == 0)
		read_extension(s);
	else if (strcmp(w, "unarmed") == 0)
		unarmed = true;
	else if (strcmp(w, "fail-early") == 0)
		script.fail_early = true;
	else if (strcmp(w, "fake-clock") == 0)
		script.fake_clock = true;
	else
		wrong(s, "a word of tests/fakecl/README");
}

/*
 * What is in the file beside this library, libNAME.fakecl beside libNAME.so, so
 * that several of them can play different things in one process; else FAKECL.
 * Allocated.
 */
static char *
find_text(void)
{
	const char *env = getenv("FAKECL");
	char path[PATH_MAX], *text, *dot;
	Dl_info info;
	FILE *f;

	if (dladdr(&script, &info) != 0 && strlen(info.dli_fname) <
	    sizeof(path) - sizeof(".fakecl")) {
		strcpy(path, info.dli_fname);
		if ((dot = strrchr(path, '.')) != NULL)
			strcpy(dot, ".fakecl");
		if ((f = fopen(path, "re")) != NULL) {
			text = calloc(1, TEXT_MAX);
			if (text != NULL && fread(text, 1, TEXT_MAX - 1, f) ==
			    0)
				text[0] = '\0';
			fclose(f);
			return text;
		}
	}
	return strdup(env != NULL ? env : "");
}

static void
read_script(void)
{
	static const struct script_device usual = { CL_DEVICE_TYPE_GPU, 8,
		1000, (cl_ulong)1 << 30, 100 };
	char *text = find_text(), *rest = text, *part;
	struct statement s;

	while ((part = strsep(&rest, ";")) != NULL) {
		for (s.n = 0; s.n < WORDS_MAX; s.n++)
			if ((s.word[s.n] = strtok(s.n == 0 ? part : NULL,
			    " \t\n")) == NULL)
				break;
		if (s.n > 0)
			read_statement(&s);
	}
	free(text);
	if (script.device_count == 0)
		script.device[script.device_count++] = usual;
	if (script.no_devices)
		script.device_count = 0;
}

const struct script *
script_get(void)
{
	pthread_once(&once, read_script);
	return &script;
}

/* ---- faults -------------------------------------------------------------- */

void
script_arm(void)
{
	pthread_mutex_lock(&lock);
	unarmed = false;
	pthread_mutex_unlock(&lock);
}

/* Count a call; true: the rule hits it. */
static bool
hits(struct rule *r, const char *call)
{
	if (unarmed)
		return false;
	if (r->times == 0 || strcmp(r->call, call) != 0)
		return false;
	if (r->after > 0) {
		r->after--;
		return false;
	}
	r->times--;
	return true;
}

static cl_int
act(const struct rule *r)
{
	switch (r->action) {
	case ACT_HANG:
		for (;;)
			pause();
	case ACT_CRASH:
		raise(SIGSEGV);
		abort();
	default:
		return r->code;
	}
}

static cl_int
look_up(const char *function, bool end)
{
	const struct rule *hit = NULL;
	unsigned i;

	if (strncmp(function, "fake_", 5) == 0)
		function += 5;
	script_get();
	pthread_mutex_lock(&lock);
	for (i = 0; i < rule_count && hit == NULL; i++)
		if ((rules[i].action == ACT_END) == end &&
		    hits(&rules[i], function))
			hit = &rules[i];
	pthread_mutex_unlock(&lock);
	return hit != NULL ? act(hit) : CL_SUCCESS;
}

/* Marks are in the environment, which all libraries of a process share. */
#define MARK "FAKECL_HERE_"

void
script_arrive(void)
{
	const struct script *s = script_get();
	char mark[SCRIPT_WORD + sizeof(MARK)];

	snprintf(mark, sizeof(mark), MARK "%.63s", s->clash);
	if (s->clash[0] != '\0' && getenv(mark) != NULL) {
		raise(SIGSEGV);
		abort();
	}
	snprintf(mark, sizeof(mark), MARK "%.63s", s->here);
	if (s->here[0] != '\0')
		setenv(mark, "1", 1);
}

cl_int
script_call(const char *function)
{
	return look_up(function, false);
}

cl_int
script_end(const char *function)
{
	return look_up(function, true);
}
