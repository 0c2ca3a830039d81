/* SPDX-License-Identifier: ISC */
#include "bench/serve.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "bench/reply.h"

static int
open_socket(const char *path, struct sockaddr_un *a)
{
	int fd;

	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof(a->sun_path)) {
		fprintf(stderr, "micro: %s: the path is too long\n", path);
		return -1;
	}
	strcpy(a->sun_path, path);
	if ((fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) < 0)
		perror("micro: socket");
	return fd;
}

/* False when it was the last one. */
static bool
one_question(FILE *f, void (*answer)(char *question))
{
	char line[4096];

	if (fgets(line, sizeof(line), f) == NULL)
		return true;
	line[strcspn(line, "\n")] = '\0';
	if (strcmp(line, "quit") == 0)
		return false;
	reply_to(f);
	answer(line);
	fputs(".\n", f);
	return true;
}

int
serve(const char *path, void (*answer)(char *question))
{
	struct sockaddr_un a;
	bool more = true;
	int fd, peer;
	FILE *f;

	if ((fd = open_socket(path, &a)) < 0)
		return 1;
	if (bind(fd, (struct sockaddr *)&a, sizeof(a)) != 0 ||
	    listen(fd, 4) != 0) {
		perror(path);
		return 1;
	}
	while (more && (peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		if ((f = fdopen(peer, "r+")) == NULL)
			return 1;
		more = one_question(f, answer);
		fclose(f);
	}
	close(fd);
	unlink(path);
	return more;
}

int
serve_ask(const char *path, const char *question)
{
	struct sockaddr_un a;
	bool ended = false, good = true;
	char line[4096];
	FILE *f;
	int fd;

	if ((fd = open_socket(path, &a)) < 0)
		return 2;
	if (connect(fd, (struct sockaddr *)&a, sizeof(a)) != 0 ||
	    (f = fdopen(fd, "r+")) == NULL)
		return 2;
	fprintf(f, "%s\n", question);
	fflush(f);
	while (!ended && fgets(line, sizeof(line), f) != NULL) {
		ended = strcmp(line, ".\n") == 0;
		good = good && strncmp(line, "error: ", 7) != 0;
		if (!ended)
			fputs(line, stdout);
	}
	fclose(f);
	return ended && good ? 0 : 1;
}
