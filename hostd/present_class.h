/* SPDX-License-Identifier: ISC */
/*
 * present_class - what differs in how a class device of several is shown.
 *
 * All that its members have in common is shown as of a single device.  What
 * names one of them is not: the class has a UUID made from what it is, the same
 * on every host, and no address on a bus.  The vendor ID, by which PoCL numbers
 * its devices, is the lowest of its members'.
 */
#ifndef VGPU_HOSTD_PRESENT_CLASS_H
#define VGPU_HOSTD_PRESENT_CLASS_H

#include "hostd/present.h"

/*
 * Put a property where it is one that differs; false: it is shown as it is.
 */
bool class_put(struct infoset *out, const struct vdevice *, uint32_t param,
    const void *, size_t, const uint8_t fingerprint[FINGERPRINT_LEN]);

/*
 * Make a class's mark from its fingerprint, in place: another one whenever its
 * members are others.
 */
void class_mark(const struct vdevice *, uint8_t mark[FINGERPRINT_LEN]);

#endif
