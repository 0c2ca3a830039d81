/* SPDX-License-Identifier: ISC */
/*
 * command - the program that a run is about, in the foreground.
 *
 * It stays in our process group, so the terminal's keys reach it as if we were
 * not there; signals that somebody sends to us alone are passed on.
 */
#ifndef VGPU_RUN_COMMAND_H
#define VGPU_RUN_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

/* Hold back signals that end us or are passed on; before anything starts. */
void command_block_signals(void);

/* Whether such a signal has come: its number stays for command_signal. */
bool command_interrupted(void);

/* The signal that interrupted us; 0: none. */
int command_signal(void);

/*
 * Run it and wait for its end.  daemon is a child that it does not outlive
 * unnoticed: if that ends first, a line says so, and the command goes on.
 * Returns the exit status for our own: the command's, 128 + n if signal n
 * killed it, 127 or 126 if it can't be run.
 */
int command_run(char **argv, pid_t *daemon);

#endif
