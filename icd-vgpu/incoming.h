/* SPDX-License-Identifier: ISC */
/*
 * incoming - what the host sends, taken from both lanes and acted upon.
 *
 * Run by whichever thread leads (call.c).  Nothing here waits for the host or
 * calls the program; callbacks are queued for the callback thread.
 */
#ifndef VGPU_ICD_INCOMING_H
#define VGPU_ICD_INCOMING_H

#include <stdbool.h>

struct client;

/*
 * Take all that has arrived on both lanes.  True: there was something.  On
 * errors the client dies, and the result is true.
 */
bool incoming_receive(struct client *);

#endif
