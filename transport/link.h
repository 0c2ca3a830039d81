/* SPDX-License-Identifier: ISC */
/*
 * link - frames over a transport.
 *
 * A frame is a header of 16 bytes (little-endian: u32 length of the whole
 * frame, u16 type, u16 flags, u64 serial) and a body, together a multiple of
 * 8 bytes.  What types and flags mean is the business of the layers above.
 *
 * Any number of threads may send; one thread at a time may receive.  Frames
 * leave in the order of link_begin and link_send_body.  Nothing blocks but
 * what has a deadline, and no lock is held while waiting.
 *
 * An error kills one direction, and each later call for that direction returns
 * the same error and text.  What remains serves to learn or tell the reason: a
 * peer that is gone ends sending, while link_receive still gives what it sent
 * before, such as its farewell; impossible bytes end receiving, while a
 * farewell can still be sent.  link_fail ends both.
 */
#ifndef VGPU_TRANSPORT_LINK_H
#define VGPU_TRANSPORT_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/err.h"
#include "transport/transport.h"

#define LINK_HEADER_LEN 16
#define LINK_STREAMED_MAX 8 /* types that may be marked as streamed */

struct link;

/* A frame that was received. */
struct frame {
	uint16_t type, flags;
	uint64_t serial;
	const uint8_t *body; /* aligned to 8 bytes */
	size_t len;	     /* bytes at body, padding included */
	size_t rest;	     /* bytes that link_receive_body gives */
};

struct link_stats {
	uint64_t frames_sent, bytes_sent;
	uint64_t frames_received, bytes_received;
	uint64_t writes, reads; /* of the transport, that moved bytes */
	/* into our buffer to be sent, and from it into a body's place */
	uint64_t bytes_copied_out, bytes_copied_in;
};

/*
 * Takes the transport, whose handshake is done.  frame_max: longest frame in
 * either direction, header included.  NULL: out of memory; the transport is
 * then still the caller's.
 */
struct link *link_new(struct transport *, size_t frame_max);

void link_set_frame_max(struct link *, size_t);

/*
 * Have each frame told, with its length, in the thread that queues it (sent) or
 * takes it; before the link is shared.
 */
typedef void link_observer(bool sent, size_t bytes);
void link_set_observer(struct link *, link_observer *);

/*
 * Free the link and its transport, once no thread is in it.  orderly: send
 * what is queued and the transport's farewell, as far as that goes without
 * blocking.  Not orderly: just close.
 */
void link_free(struct link *, bool orderly);

/*
 * In a child after fork: close the child's copy of the descriptor.  The parent's
 * connection stays as it is.  The rest is not touched, as another thread may
 * have been amidst it, and the link can't be used further.
 */
void link_abandon(struct link *);

/*
 * Begin a frame: locks the queue and returns the buffer to which the body is
 * to be appended, and nothing else.  Always followed by link_end or
 * link_cancel in the same thread, soon.
 */
struct buf *link_begin(struct link *, uint16_t type, uint16_t flags,
    uint64_t serial);

/*
 * End the frame: pads and queues it, and unlocks.  VGPU_ENOMEM: no memory, or
 * VGPU_EQUOTA: longer than frame_max; the frame is dropped and the link lives.
 * Else the error that ended sending.
 */
enum vgpu_err link_end(struct link *);

/* Drop the frame begun, and unlock. */
void link_cancel(struct link *);

/*
 * Queue a frame and write it, its body straight from the caller's memory,
 * after everything queued before.  Returns when the whole body was taken.
 * The receiver sees prefix, body and padding of up to 7 zero bytes; a prefix
 * that is a multiple of 8 keeps the body aligned.
 * VGPU_ETIME: not done at the deadline, and link_fail was called.  VGPU_ENOMEM
 * and VGPU_EQUOTA as link_end.  As link_flush_wait, it does not receive.
 */
enum vgpu_err link_send_body(struct link *, uint16_t type, uint16_t flags,
    uint64_t serial, const void *prefix, size_t prefix_len, const void *body,
    size_t body_len, int64_t deadline, struct err_text *);

/*
 * Write what the transport takes.  VGPU_EAGAIN: some is left.  VGPU_ECLOSED:
 * the peer is gone; the error that link_receive ends with may say why.
 */
enum vgpu_err link_flush(struct link *, struct err_text *);

/*
 * Write all that is queued, polling.  It does not receive: a
 * caller whose peer may itself wait to be read needs link_flush and a poll for
 * both.  VGPU_ETIME: some is left at the deadline; the link lives.
 */
enum vgpu_err link_flush_wait(struct link *, int64_t deadline,
    struct err_text *);

/*
 * Bytes a second that the connection takes, as far as it had to be waited for
 * lately; 0: not known.  Called before each piece of something long.
 */
uint64_t link_rate(struct link *);

/* Bytes queued that the transport has not taken. */
size_t link_unsent(struct link *);

/* True when link_flush has something to do once the fd is writable. */
bool link_want_write(struct link *);

/*
 * Mark a type: its frames are received by their first prefix_len bytes (a
 * multiple of 8), and the rest by link_receive_body.  A frame with a shorter
 * body is given whole, with rest 0.  Before the first such frame arrives.
 */
void link_set_streamed(struct link *, uint16_t type, size_t prefix_len);

/*
 * For a link of long bodies: read no further than a frame's beginning, so that
 * none of its body has to be copied, and each piece of it lands as it is
 * aligned in its sender's memory.
 */
void link_set_exact(struct link *);

/*
 * Receive the next frame; frame->body is valid until the next link_receive or
 * link_receive_body.  What was not read of the last frame's rest is skipped.
 * VGPU_EAGAIN: no whole frame has arrived; poll link_fd.  VGPU_EPROTO: an
 * impossible length.  VGPU_ENOMEM: try again.  Else why receiving ended.
 * Memory grows with bytes that arrived, not with lengths announced.
 */
enum vgpu_err link_receive(struct link *, struct frame *, struct err_text *);

/*
 * The frame behind the last one received, if all of it has arrived: valid
 * until the next link_receive, which will give the same.  Reads nothing.
 */
bool link_peek(const struct link *, struct frame *);

/*
 * Read at most n bytes, at least one, of the rest of the last frame into dst,
 * without a copy where they did not arrive together with the prefix.
 * VGPU_EAGAIN: none now.  n must be at least one, and not above what is left
 * of the rest.
 */
enum vgpu_err link_receive_body(struct link *, void *dst, size_t n,
    size_t *got, struct err_text *);

/*
 * True when link_receive (or link_receive_body) may have something though the
 * descriptor is quiet, so that a poll must not sleep.  False after
 * VGPU_EAGAIN.  The receiving thread only.
 */
bool link_pending(struct link *);

/*
 * Give the peer a copy of a descriptor, ahead of what is queued next; and take
 * the oldest that came with what was received, -1: none.  VGPU_EAGAIN: too many
 * wait.  VGPU_ESYS: also where the transport can't (see transport.h).
 */
enum vgpu_err link_send_fd(struct link *, int fd, struct err_text *);
int link_take_fd(struct link *);

/* The descriptor to poll.  It does not change. */
int link_fd(const struct link *);

struct transport *link_transport(const struct link *);

/*
 * End both directions, as far as they live, with an error and text of the
 * caller's, and shut the descriptor down, so that who polls it wakes up (in
 * other processes that have it, too).
 */
void link_fail(struct link *, enum vgpu_err, const char *text);

/* VGPU_OK, or the error that ended receiving, else sending, with its text. */
enum vgpu_err link_error(const struct link *, struct err_text *);

void link_get_stats(const struct link *, struct link_stats *);

#endif
