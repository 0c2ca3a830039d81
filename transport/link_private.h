/* SPDX-License-Identifier: ISC */
/*
 * link_private - what link.c (life, queue), link_send.c and link_receive.c
 * share.
 *
 * Three locks, taken in this order: io (the transport, and what is being
 * written), queue (what is queued), state (why a direction ended).  Receiving
 * belongs to one thread and needs no lock but io for the transport.
 */
#ifndef VGPU_TRANSPORT_LINK_PRIVATE_H
#define VGPU_TRANSPORT_LINK_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "transport/link.h"

/* A larger buffer is given back when it is empty. */
#define LINK_KEEP_MAX ((size_t)4 << 20)

/* A body in its sender's memory, on its sender's stack. */
struct link_bulk {
	uint64_t at; /* the body follows this many bytes from buffers */
	const uint8_t *body;
	size_t left;
	struct link_bulk *next;
};

/* Why a direction ended; text is constant once error is set. */
struct link_end {
	atomic_int error;
	struct err_text text;
};

struct link_streamed {
	uint16_t type;
	size_t prefix_len;
};

#define LINK_RATES 8

/* See link_rate.c. */
struct link_rate {
	int64_t since;		/* when gone was so, */
	uint64_t gone;
	bool waited;		/* with some held back */
	uint64_t rate[LINK_RATES]; /* bytes a second, the last ones */
	unsigned n;		/* how many there ever were */
	bool looked, far;
};

struct link {
	struct transport *transport;
	int fd;
	atomic_size_t frame_max;
	link_observer *observer; /* NULL: nobody wants to know */

	pthread_mutex_t queue_lock;
	struct buf queue;
	size_t begun;	   /* where in queue the frame begun starts */
	uint64_t enqueued; /* bytes that ever went through queue */
	struct link_bulk *queue_bulks, **queue_bulks_last;

	pthread_mutex_t io_lock;
	struct buf sending; /* older than queue; the two are swapped */
	uint64_t written;   /* bytes that ever left sending */
	struct link_bulk *sending_bulks;
	atomic_size_t unsent;
	atomic_bool unflushed; /* the transport holds some */

	struct buf in;
	size_t taken;  /* bytes at the front of in that the caller has */
	size_t rest;   /* body bytes after those, not yet given */
	bool exact;    /* read no further than needed */
	bool starved;  /* the last read found nothing */
	struct link_streamed streamed[LINK_STREAMED_MAX];
	size_t streamed_n;

	pthread_mutex_t state_lock;
	struct link_end send_end, receive_end;
	struct link_rate rate;	/* under state_lock */

	atomic_uint_fast64_t frames_sent, bytes_sent;
	atomic_uint_fast64_t frames_received, bytes_received;
	atomic_uint_fast64_t writes, reads;
	atomic_uint_fast64_t bytes_copied_out, bytes_copied_in;
	atomic_uint_fast64_t written_out; /* bytes, by the transport */
};

/* End one direction, unless it has ended; returns e. */
enum vgpu_err link_end_set(struct link *, struct link_end *, enum vgpu_err e,
    const struct err_text *);

/* VGPU_OK while a direction lives, else its error and text. */
enum vgpu_err link_end_get(const struct link_end *, struct err_text *);

/*
 * link_end for a frame whose body, but for what was appended, is bulk's; NULL:
 * all was appended.  bulk stays valid until nothing of it is left.
 */
enum vgpu_err link_end_body(struct link *, struct link_bulk *bulk,
    struct err_text *);

/* Count where a lock, or there being one thread, leaves one writer. */
#define LINK_COUNT(counter, n) \
	atomic_store_explicit(&(counter), \
	    atomic_load_explicit(&(counter), memory_order_relaxed) + (n), \
	    memory_order_relaxed)

#endif
