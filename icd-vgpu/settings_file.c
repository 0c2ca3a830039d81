/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/settings_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
	const char *name;
	unsigned line;
	struct err_text *text;
};

static enum vgpu_err
bad_line(const struct place *at, const char *what)
{
	return err_set(at->text, VGPU_ECONF, "%s:%u: %s", at->name, at->line,
	    what);
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Cut the comment, if any, and the blanks at the end. */
static void
cut_comment(char *s)
{
	char *p, *end = s;

	for (p = s; *p != '\0'; p++) {
		if (*p == '#' && (p == s || is_blank(p[-1])))
			break;
		if (!is_blank(*p))
			end = p + 1;
	}
	*end = '\0';
}

/* Resolve the quotes that begin a value, in place. */
static enum vgpu_err
unquote(const struct place *at, char *value)
{
	const char quote = value[0];
	char *from = value + 1, *to = value;

	for (; *from != quote; *to++ = *from++) {
		if (quote == '"' && *from == '\\' &&
		    (from[1] == '"' || from[1] == '\\'))
			from++;
		if (*from == '\0')
			return bad_line(at, "the quote is not closed");
	}
	from++;
	if (*from != '\0' && !is_blank(*from) && *from != '#')
		return bad_line(at, "text after the closing quote");
	cut_comment(from);
	if (*from != '\0')
		return bad_line(at, "text after the closing quote");
	*to = '\0';
	return VGPU_OK;
}

/* Split a line in place; a line without a keyword is passed over. */
static enum vgpu_err
take_line(const struct place *at, char *s, settings_line *take, void *arg)
{
	char *value, *end;
	enum vgpu_err e = VGPU_OK;

	s += strspn(s, " \t");
	if (*s == '\0' || *s == '#')
		return VGPU_OK;
	end = s + strcspn(s, " \t=#\"'");
	value = end + strspn(end, " \t");
	if (*value == '=')
		value += 1 + strspn(value + 1, " \t");
	else if (value == end && *end != '\0')
		return bad_line(at, "expected \"keyword value\"");
	if (end == s)
		return bad_line(at, "expected a keyword");
	*end = '\0';
	if (*value == '"' || *value == '\'')
		e = unquote(at, value);
	else
		cut_comment(value);
	if (e != VGPU_OK)
		return e;
	if (*value == '\0')
		return bad_line(at, "a keyword without a value");
	return take(arg, at->line, s, value);
}

/* Take the lines of n bytes at s, which has one more for the NUL. */
static enum vgpu_err
take_lines(struct place *at, char *s, size_t n, settings_line *take, void *arg)
{
	char *line, *end;
	enum vgpu_err e = VGPU_OK;

	s[n] = '\0';
	for (line = s; line < s + n && e == VGPU_OK; line = end + 1) {
		at->line++;
		end = memchr(line, '\n', (size_t)(s + n - line));
		if (end == NULL)
			end = s + n;
		*end = '\0';
		if (strlen(line) != (size_t)(end - line))
			return bad_line(at, "a NUL byte, expected text");
		if (end > line && end[-1] == '\r')
			end[-1] = '\0';
		e = take_line(at, line, take, arg);
	}
	return e;
}

/* Read all of a regular file into s, of SETTINGS_FILE_MAX + 1 bytes. */
static enum vgpu_err
read_all(int fd, const char *name, char *s, size_t *n, struct err_text *text)
{
	struct stat st;
	ssize_t got;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return err_set(text, VGPU_ECONF, "%s: not a regular file",
		    name);
	for (*n = 0; *n <= SETTINGS_FILE_MAX; *n += (size_t)got) {
		got = read(fd, s + *n, SETTINGS_FILE_MAX + 1 - *n);
		if (got < 0 && errno == EINTR)
			got = 0;
		else if (got < 0)
			return err_set(text, VGPU_ECONF, "%s: %s", name,
			    strerror(errno));
		else if (got == 0)
			return VGPU_OK;
	}
	return err_set(text, VGPU_ECONF, "%s: larger than %d bytes", name,
	    SETTINGS_FILE_MAX);
}

enum vgpu_err
settings_file_read(const char *name, settings_line *take, void *arg,
    bool *was_read, struct err_text *text)
{
	struct place at = { .name = name, .text = text };
	char *s;
	size_t n = 0;
	int fd;
	enum vgpu_err e;

	*was_read = false;
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return VGPU_OK;
	if (fd < 0)
		return err_set(text, VGPU_ECONF, "%s: %s", name,
		    strerror(errno));
	if ((s = malloc(SETTINGS_FILE_MAX + 2)) == NULL) {
		close(fd);
		return VGPU_ENOMEM;
	}
	e = read_all(fd, name, s, &n, text);
	close(fd);
	if (e == VGPU_OK)
		e = take_lines(&at, s, n, take, arg);
	free(s);
	*was_read = e == VGPU_OK;
	return e;
}
