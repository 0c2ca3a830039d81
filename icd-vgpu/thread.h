/* SPDX-License-Identifier: ISC */
/*
 * thread - the library's own threads: detached, with every signal blocked, so
 * that the program's handlers run in the program's threads only.
 */
#ifndef VGPU_ICD_THREAD_H
#define VGPU_ICD_THREAD_H

#include <stdbool.h>

/* False: the system gave no thread. */
bool thread_start(void *(*run)(void *), void *arg);

#endif
