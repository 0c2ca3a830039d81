/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/thread.h"

#include <pthread.h>
#include <signal.h>

bool
thread_start(void *(*run)(void *), void *arg)
{
	pthread_t thread;
	sigset_t all, old;
	int error;

	sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &old) != 0)
		return false;
	error = pthread_create(&thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (error != 0)
		return false;
	pthread_detach(thread);
	return true;
}
