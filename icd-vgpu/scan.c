/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/scan.h"

#include <limits.h>
#include <string.h>

#include "common/buf.h"

static const struct {
	const char *name;
	enum scan_kind kind;
} directives[] = {
	{ "include", SCAN_INCLUDE },
	{ "include_next", SCAN_INCLUDE_NEXT },
	{ "import", SCAN_IMPORT },
	{ "define", SCAN_DEFINE },
};

#define DIRECTIVE_MAX 16	/* longer than each name */
#define END (-1)

struct scanner {
	const char *text;
	size_t at, n;
	bool defines;
	struct buf line;	/* the operand */
	scan_take *take;
	void *arg;
};

static bool
is_newline(int c)
{
	return c == '\n' || c == '\r';
}

static bool
is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\0';
}

static bool
is_name(int c)
{
	return (c >= 'a' && c <= 'z') || c == '_';
}

/* One past the newline that is at position i. */
static size_t
newline_end(const struct scanner *s, size_t i)
{
	return i + 1 < s->n && s->text[i] == '\r' && s->text[i + 1] == '\n' ?
	    i + 2 : i + 1;
}

/*
 * The position at or after i that is not in a line continuation; blanks may
 * stand before the newline, as compilers allow.
 */
static size_t
skip_splices(const struct scanner *s, size_t i)
{
	size_t j;

	while (i < s->n && s->text[i] == '\\') {
		for (j = i + 1; j < s->n && is_blank(s->text[j]);)
			j++;
		if (j == s->n || !is_newline(s->text[j]))
			break;
		i = newline_end(s, j);
	}
	return i;
}

/* The next character, or END; continuations are passed over. */
static int
peek(struct scanner *s)
{
	s->at = skip_splices(s, s->at);
	return s->at < s->n ? (unsigned char)s->text[s->at] : END;
}

static int
peek_second(struct scanner *s)
{
	size_t i = skip_splices(s, s->at);

	i = i < s->n ? skip_splices(s, i + 1) : i;
	return i < s->n ? (unsigned char)s->text[i] : END;
}

/* Append the next character, where the operand is wanted, and pass it. */
static void
pass(struct scanner *s, bool keep)
{
	int c = peek(s);
	const char byte = c == '\0' ? ' ' : (char)c;

	if (c == END)
		return;
	if (keep)
		buf_append(&s->line, &byte, 1);
	s->at++;
}

/* Bytes that mean something in what is passed over, in comments too. */
static const bool is_special[UCHAR_MAX + 1] = {
	['\\'] = true, ['"'] = true, ['\''] = true, ['/'] = true,
	['*'] = true, ['\n'] = true, ['\r'] = true,
};

static void
skip_plain(struct scanner *s)
{
	while (s->at < s->n && !is_special[(unsigned char)s->text[s->at]])
		s->at++;
}

static bool
at_comment(struct scanner *s)
{
	int second;

	if (peek(s) != '/')
		return false;
	second = peek_second(s);
	return second == '/' || second == '*';
}

/* Pass a comment; one that ends with its line stops before the newline. */
static void
skip_comment(struct scanner *s)
{
	bool is_block = peek_second(s) == '*';
	int c;

	pass(s, false);
	pass(s, false);
	for (;;) {
		skip_plain(s);
		if ((c = peek(s)) == END)
			return;
		if (!is_block && is_newline(c))
			return;
		if (is_block && c == '*' && peek_second(s) == '/') {
			pass(s, false);
			pass(s, false);
			return;
		}
		s->at++;
	}
}

/* Blanks and comments, which may span lines. */
static void
skip_blanks(struct scanner *s)
{
	for (;;) {
		if (is_blank(peek(s)))
			s->at++;
		else if (at_comment(s))
			skip_comment(s);
		else
			return;
	}
}

/*
 * Pass what stands in quotes, which ends with its line at the latest.  The name
 * of a header has no escapes.
 */
static void
pass_quoted(struct scanner *s, char close, bool escapes, bool keep)
{
	int c;

	pass(s, keep);
	while ((c = peek(s)) != END && !is_newline(c)) {
		if (c == '\\' && escapes && !is_newline(peek_second(s)))
			pass(s, keep);
		pass(s, keep);
		if (c == close)
			return;
	}
}

/* Pass the rest of a line, without the newline. */
static void
pass_line(struct scanner *s, bool keep)
{
	int c;

	for (;;) {
		if (!keep)
			skip_plain(s);
		if ((c = peek(s)) == END || is_newline(c))
			return;
		if (c == '"' || c == '\'') {
			pass_quoted(s, (char)c, true, keep);
		} else if (at_comment(s)) {
			skip_comment(s);
			if (keep)
				buf_append(&s->line, " ", 1);
		} else {
			pass(s, keep);
		}
	}
}

/* Read the directive's name; its index in directives, or -1. */
static int
read_directive(struct scanner *s)
{
	char name[DIRECTIVE_MAX];
	size_t n = 0, i;
	int c;

	while (is_name(c = peek(s))) {
		if (n + 1 < sizeof(name))
			name[n++] = (char)c;
		s->at++;
	}
	name[n] = '\0';
	for (i = 0; i < sizeof(directives) / sizeof(directives[0]); i++)
		if (strcmp(name, directives[i].name) == 0)
			return (int)i;
	return -1;
}

static void
pass_operand(struct scanner *s, enum scan_kind kind)
{
	int c = peek(s);

	if (kind != SCAN_DEFINE && (c == '<' || c == '"')) {
		pass_quoted(s, c == '<' ? '>' : '"', false, true);
		pass_line(s, false);
	} else {
		pass_line(s, true);
	}
}

static enum vgpu_err
report(struct scanner *s, enum scan_kind kind, size_t start)
{
	struct scan_line l = { .kind = kind, .start = start, .end = s->at };

	while (buf_len(&s->line) > 0 && is_blank(s->line.data[s->line.end - 1]))
		s->line.end--;
	l.len = buf_len(&s->line);
	buf_append(&s->line, "", 1);
	if (s->line.failed)
		return VGPU_ENOMEM;
	l.operand = (const char *)buf_front(&s->line);
	return s->take(s->arg, &l);
}

/* The line whose '#' is next. */
static enum vgpu_err
take_directive(struct scanner *s)
{
	size_t start = s->at;
	int i;

	pass(s, false);
	skip_blanks(s);
	i = read_directive(s);
	if (i < 0 || (directives[i].kind == SCAN_DEFINE) != s->defines) {
		pass_line(s, false);
		return VGPU_OK;
	}
	skip_blanks(s);
	buf_take(&s->line, buf_len(&s->line));
	pass_operand(s, directives[i].kind);
	return report(s, directives[i].kind, start);
}

enum vgpu_err
scan_text(const char *text, size_t n, bool defines, scan_take *take, void *arg)
{
	struct scanner s = { .text = text, .n = n, .defines = defines,
		.take = take, .arg = arg };
	enum vgpu_err e = VGPU_OK;

	buf_init(&s.line);
	while (e == VGPU_OK && s.at < n) {
		skip_blanks(&s);
		if (peek(&s) == '#')
			e = take_directive(&s);
		else
			pass_line(&s, false);
		if (s.at < n)
			s.at++; /* the newline */
	}
	buf_fini(&s.line);
	return e;
}

/* A continuation may stand in the middle of the word. */
static bool
has_splice(const char *text, size_t n)
{
	return memmem(text, n, "\\\n", 2) != NULL ||
	    memmem(text, n, "\\\r", 2) != NULL ||
	    memmem(text, n, "\\ ", 2) != NULL ||
	    memmem(text, n, "\\\t", 2) != NULL;
}

bool
scan_may_include(const char *text, size_t n)
{
	if (memchr(text, '#', n) == NULL)
		return false;
	return memmem(text, n, "include", 7) != NULL ||
	    memmem(text, n, "import", 6) != NULL || has_splice(text, n);
}
