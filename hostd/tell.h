/* SPDX-License-Identifier: ISC */
/*
 * tell - what the parent answers to vgpuctl: its state as JSON.
 *
 * What vendors say of their devices, and tenants' names, is escaped (log_escape):
 * it is never more than printable ASCII.
 */
#ifndef VGPU_HOSTD_TELL_H
#define VGPU_HOSTD_TELL_H

struct parent;

/*
 * The answer to a line, as control.h wants it; the arg is the parent.  What it
 * does not understand is answered by {"error": "..."}.
 *
 *	devices		devices, vendors, and vendors that exclude each other
 *	sessions	who is there, and which devices they use
 *	status		the daemon in numbers
 *	drain N		show device N to no new session
 *	undrain N	show it again
 *	explain N	why session N has the devices that it has
 *	reload		read the configuration again
 *	rescan		look for devices again
 */
char *tell(void *parent, const char *line);

#endif
