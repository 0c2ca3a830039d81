/* SPDX-License-Identifier: ISC */
/*
 * watchdog - ends a session whose client has left while a call of the vendor's
 * does not return.
 *
 * The loop, which would notice, may be in that call for ever.  So a thread of its
 * own sleeps until the other end of the control lane is closed, then gives the
 * loop its time to end in order, and ends the process.
 */
#ifndef VGPU_HOSTD_WATCHDOG_H
#define VGPU_HOSTD_WATCHDOG_H

#define WATCHDOG_GRACE_MS 3000

/* Watch a connection, which stays open as long as the process. */
void watchdog_start(int fd);

#endif
