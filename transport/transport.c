/* SPDX-License-Identifier: ISC */
#include "transport/transport.h"

#include <poll.h>

#include "common/clock.h"

enum vgpu_err
transport_handshake_wait(struct transport *t, int64_t deadline,
    struct err_text *err)
{
	struct pollfd p = { .fd = t->ops->fd(t) };
	enum transport_want want;
	enum vgpu_err e;
	int ms;

	while ((e = t->ops->handshake(t, &want, err)) == VGPU_EAGAIN) {
		if ((ms = clock_poll_ms(deadline)) == 0)
			return err_set(err, VGPU_ETIME,
			    "the peer did not finish the %s handshake in "
			    "time", t->ops->name);
		p.events = want == TRANSPORT_WANT_READ ? POLLIN : POLLOUT;
		(void)poll(&p, 1, ms);
	}
	return e;
}
