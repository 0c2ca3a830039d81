/* SPDX-License-Identifier: ISC */
#include "tests/unit/fixture-local.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <cmocka.h>

#include "transport/local.h"

void
local_sockets(int *client, int *host)
{
	int fd[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0,
	    fd), 0);
	*client = fd[0];
	*host = fd[1];
}

void
local_connect(struct transport **client, struct transport **host)
{
	enum transport_want want;
	int c, h;

	local_sockets(&c, &h);
	assert_int_equal(local_new_client(client, c, (uid_t)-1, NULL),
	    VGPU_OK);
	assert_int_equal(local_new_host(host, h, NULL), VGPU_OK);
	assert_int_equal((*client)->ops->handshake(*client, &want, NULL),
	    VGPU_EAGAIN);
	assert_int_equal(want, TRANSPORT_WANT_READ);
	assert_int_equal((*host)->ops->handshake(*host, &want, NULL), VGPU_OK);
	assert_int_equal((*client)->ops->handshake(*client, &want, NULL),
	    VGPU_OK);
}
