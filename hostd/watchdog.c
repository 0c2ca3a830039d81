/* SPDX-License-Identifier: ISC */
#include "hostd/watchdog.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#include "common/log.h"

#define STACK_BYTES ((size_t)256 << 10)

static void *
watch(void *arg)
{
	struct pollfd p = { (int)(intptr_t)arg, POLLRDHUP, 0 };

	/* POLLHUP and POLLERR are always told; messages wake nobody here. */
	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
	poll(NULL, 0, WATCHDOG_GRACE_MS);
	log_warn("ended: its client has left, and a call of the vendor's does "
	    "not return");
	_exit(1);
}

/* Without it a session that hangs stays until the daemon ends. */
void
watchdog_start(int fd)
{
	pthread_attr_t attr;
	pthread_t thread;
	int error;

	if ((error = pthread_attr_init(&attr)) == 0) {
		pthread_attr_setstacksize(&attr, STACK_BYTES);
		pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
		error = pthread_create(&thread, &attr, watch,
		    (void *)(intptr_t)fd);
		pthread_attr_destroy(&attr);
	}
	if (error != 0)
		log_warn("no watchdog: error %d", error);
}
