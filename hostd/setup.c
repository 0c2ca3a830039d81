/* SPDX-License-Identifier: ISC */
#include "hostd/setup.h"

#include <string.h>
#include <unistd.h>

#include "common/log.h"
#include "hostd/memfd.h"
#include "hostd/spawn.h"

int
setup_write(const struct infoset *s, struct err_text *text)
{
	if (infoset_failed(s)) {
		err_set(text, VGPU_ENOMEM, "out of memory");
		return -1;
	}
	return memfd_sealed("vgpu-setup", infoset_bytes(s), infoset_size(s),
	    text);
}

enum vgpu_err
setup_read(struct infoset *s, struct privsep_user *user, struct err_text *text)
{
	struct buf bytes;
	enum vgpu_err rc;
	const void *p;
	size_t n;

	privsep_fresh(SPAWN_FD_SETUP);
	buf_init(&bytes);
	rc = memfd_read(SPAWN_FD_SETUP, INFOSET_BYTES_MAX, &bytes, text);
	if (rc == VGPU_OK)
		rc = infoset_load(s, buf_front(&bytes), buf_len(&bytes), text);
	buf_fini(&bytes);
	close(SPAWN_FD_SETUP);
	if (rc != VGPU_OK)
		return rc;
	p = infoset_find(s, SETUP_USER, &n);
	if (p == NULL || n != sizeof(*user))
		return err_set(text, VGPU_EPROTO, "setup without user");
	memcpy(user, p, n);
	log_open("vgpu-hostd", STDERR_FILENO,
	    (enum log_level)infoset_u32(s, SETUP_LOG_LEVEL, LOG_LEVEL_INFO));
	return VGPU_OK;
}
