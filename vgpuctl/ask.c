/* SPDX-License-Identifier: ISC */
#include "vgpuctl/ask.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "common/buf.h"

static enum vgpu_err
reach(const char *path, int *out, struct err_text *text)
{
	const struct timeval limit = { ASK_TIMEOUT_S, 0 };
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd;

	if (strlen(path) >= sizeof(a.sun_path))
		return err_set(text, VGPU_ESYS, "%s: too long for a socket",
		    path);
	strcpy(a.sun_path, path);
	if ((fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) < 0)
		return err_sys(text, "no socket");
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
	if (connect(fd, (const struct sockaddr *)&a, sizeof(a)) == 0) {
		*out = fd;
		return VGPU_OK;
	}
	err_set(text, VGPU_ESYS, "%s: %s; %s", path, strerror(errno), errno ==
	    EACCES ? "root and the daemon's user may ask, and who is in its "
	    "\"control-group\"" : "is vgpu-hostd running, and is this its "
	    "\"control\"?");
	close(fd);
	return VGPU_ESYS;
}

static enum vgpu_err
receive(int fd, struct buf *answer, struct err_text *text)
{
	char part[4096];
	ssize_t n;

	while ((n = recv(fd, part, sizeof(part), 0)) > 0) {
		if (buf_len(answer) > ASK_BYTES_MAX)
			return err_set(text, VGPU_EPROTO,
			    "the daemon's answer is too long");
		buf_append(answer, part, (size_t)n);
	}
	if (n < 0)
		return err_sys(text, "no answer");
	if (buf_len(answer) == 0)
		return err_set(text, VGPU_ESYS, "the daemon closed the "
		    "connection without an answer; has it too many of them?");
	return VGPU_OK;
}

enum vgpu_err
ask(const char *path, const char *question, json_t **out,
    struct err_text *text)
{
	char line[256];
	json_error_t wrong;
	struct buf answer;
	enum vgpu_err rc;
	int fd = -1, n;

	n = snprintf(line, sizeof(line), "%s\n", question);
	if (n < 0 || (size_t)n >= sizeof(line))
		return err_set(text, VGPU_ESYS, "the question is too long");
	if ((rc = reach(path, &fd, text)) != VGPU_OK)
		return rc;
	buf_init(&answer);
	if (send(fd, line, (size_t)n, MSG_NOSIGNAL) != n)
		rc = err_sys(text, "cannot ask");
	else
		rc = receive(fd, &answer, text);
	close(fd);
	if (rc == VGPU_OK && (answer.failed || (*out = json_loadb(
	    (const char *)buf_front(&answer), buf_len(&answer), 0,
	    &wrong)) == NULL))
		rc = err_set(text, VGPU_EPROTO, "the daemon's answer is no "
		    "JSON");
	buf_fini(&answer);
	return rc;
}
