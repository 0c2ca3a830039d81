/* SPDX-License-Identifier: ISC */
/*
 * estimate - what is known of the time that things will take, as numbers for a
 * placement: what others have still to do on a device, and what the session to
 * be placed will bring.
 *
 * Of a session that is not known to have run like before (history.h), the
 * average of all is taken, and before any has ended, an arbitrary work that is
 * the same for all: then users count, by the speed that devices say they have.
 */
#ifndef VGPU_HOSTD_ESTIMATE_H
#define VGPU_HOSTD_ESTIMATE_H

#include "hostd/offer.h"

/* Of the job; waiting, queued_ns, job_ns, free and built of a device. */
void estimate_job(const struct offer *, struct place_job *);
void estimate_device(const struct offer *, const struct pool_device *,
    struct place_device *);

#endif
