/* SPDX-License-Identifier: ISC */
/*
 * channel - what the parent and its session processes say to each other.
 *
 * One SOCK_SEQPACKET socket pair for each session process, so a message is
 * whole or absent, and may carry one descriptor.  The parent trusts nothing
 * that comes out of it: a session may have been taken over by its client.
 * channel.c holds one table of the messages, with the direction, size and
 * descriptor of each; what does not fit it never reaches a caller.
 */
#ifndef VGPU_HOSTD_CHANNEL_H
#define VGPU_HOSTD_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/infoset.h"

#define CHANNEL_BYTES_MAX 16384
#define CHANNEL_TEXT_MAX 128

enum channel_type {
	/* parent to session */
	CHANNEL_CONNECTION = 1,	/* u32 session number; descriptor */
	CHANNEL_ADMIT,		/* infoset of admit_param; its page of usage */
	CHANNEL_REFUSE,		/* u32 enum vgpu_err, text */
	CHANNEL_SIGNATURE,	/* struct sign_reply */
	CHANNEL_LANE,		/* descriptor of a connection that joins */
	CHANNEL_PLACED,		/* u32 device, which is counted as used */
	CHANNEL_SHUT,		/* a bit for each device: run nothing new there */
	CHANNEL_MOVE,		/* struct channel_move */

	/* session to parent */
	CHANNEL_READY = 64,	/* waiting for a connection, at first or again */
	CHANNEL_SIGN,		/* struct sign_request */
	CHANNEL_IDENTITY,	/* the name in the verified certificate */
	CHANNEL_GIVE_BACK,	/* u32 session to join; descriptor */
	CHANNEL_LANE_DONE,	/* a lane's handshake is over, good or bad */
	CHANNEL_LOAD,		/* u32 device, i32 +1 or -1 */
	CHANNEL_BUILD = 80,	/* descriptor of a build order */
	CHANNEL_PLACE,		/* u32 devices: which is to run a context? */
	CHANNEL_MOVED,		/* struct channel_moved */
	CHANNEL_LOST,		/* u32 device: its vendor says it is gone */
	CHANNEL_SHOWN,		/* u32 device that its client sees first */
};

/* Why a context is to leave its device. */
enum move_why {
	MOVE_DRAIN,	/* it is drained; until it is not any more */
	MOVE_LOST,	/* it has left the pool */
	MOVE_BALANCE,	/* others have less to do */
	MOVE_WHYS
};

#define MOVE_ANYWHERE UINT32_MAX	/* in the place of a device */

/* Contexts are to leave a device. */
struct channel_move {
	uint32_t from;
	uint32_t to;		/* or MOVE_ANYWHERE */
	uint32_t why;		/* enum move_why */
	uint32_t most;		/* so many contexts; 0: all */
};

/* A context has moved; or it can't, or not yet. */
struct channel_moved {
	uint32_t from;
	uint32_t to;		/* MOVE_ANYWHERE: it stays where it is */
	uint32_t why;
	uint32_t again;		/* it stays, and will be tried again */
	char text[CHANNEL_TEXT_MAX];	/* for people, ended by a NUL */
};

/* What the parent tells about a tenant. */
enum admit_param {
	ADMIT_TENANT = 1,	/* text */
	ADMIT_PRESENT_AS,	/* u64: 0 or one CL_DEVICE_TYPE bit */
	ADMIT_STATE_DIR,	/* text */
	ADMIT_DEVICES,		/* u32 each: devices of the pool, in order */
	ADMIT_VIEW,		/* u32: enum view_kind, the widest */
	ADMIT_NAMES,		/* text, lines of alias_name; or absent */
	ADMIT_MOVE_ACROSS,	/* u32: contexts may move to another class */
};

struct channel_msg {
	uint32_t type;
	size_t size;
	int fd;		/* -1: none; else the receiver owns it */
	_Alignas(8) uint8_t bytes[CHANNEL_BYTES_MAX];
};

/*
 * A channel with two ends, close-on-exec.  Sending into out[0], the parent's,
 * never waits; sending into out[1] waits for room.  Receiving never waits.
 */
enum vgpu_err channel_pair(int out[2], struct err_text *);

/*
 * Send a message; fd is -1 or stays the caller's.
 * VGPU_EAGAIN: the other end does not read.  VGPU_ECLOSED: it is gone.
 * VGPU_ESYS.
 */
enum vgpu_err channel_send(int channel, enum channel_type, const void *,
    size_t, int fd, struct err_text *);

/*
 * Receive one message that comes from the parent (from_parent) or from a
 * session.  VGPU_EAGAIN: none now.  VGPU_ECLOSED: the other end is gone.
 * VGPU_EPROTO: a message that the table does not allow; a descriptor that
 * came with it is closed.  VGPU_ESYS.
 */
enum vgpu_err channel_recv(int channel, bool from_parent,
    struct channel_msg *, struct err_text *);

/* The first four bytes; only for messages whose table entry has them. */
uint32_t channel_u32(const struct channel_msg *);

const char *channel_name(uint32_t type);

/* For the serving part of a session: this process's own channel. */

/*
 * Tell the parent that this session begins (+1) or ceases (-1) to use the
 * device whose pool_device.index is given.  Never fails visibly: without a
 * parent this process is about to end anyway.
 */
void channel_report_device(unsigned index, int change);

/* Hand the parent a build order (build_order.h); fd stays the caller's. */
void channel_order_build(int fd);

/* The channel that these two use; -1 at first: none. */
void channel_set_own(int channel);

#endif
