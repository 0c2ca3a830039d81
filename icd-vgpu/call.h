/* SPDX-License-Identifier: ISC */
/*
 * call - sending messages and waiting for what comes back.
 *
 * There is one connection a process.  Messages gather in its send buffer and
 * leave at a flush, at a wait, when they are many, or after a short time.  A
 * thread that waits reads the connection itself when nobody else does (leader
 * and followers), so an answer wakes one thread and not two; the service
 * thread reads only while no thread of the program waits.
 *
 * When the connection is gone every call here returns
 * CL_DEVICE_NOT_AVAILABLE, and every wait ends.
 */
#ifndef VGPU_ICD_CALL_H
#define VGPU_ICD_CALL_H

#include <CL/cl.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/buf.h"
#include "protocol/codec.h"

/* Queue a message, with FRAME_* flags.  Any thread, any locks held. */
cl_int call_async(const struct message *, const void *msg, unsigned flags);

/* Send what is queued.  Errors show at the next wait. */
void call_flush(void);

/*
 * Send a message and wait for its reply, which is filled in.  Spans of the
 * reply point into body, which the caller ends with buf_fini in any case.
 * Returns the reply's status, or CL_DEVICE_NOT_AVAILABLE.
 */
cl_int call_sync(const struct message *, const void *msg, void *reply,
    struct buf *body);

/* call_sync where only the status matters; flags such as FRAME_CONFIRM. */
cl_int call_status(const struct message *, const void *msg, unsigned flags);

/* The same with sent(arg) called between sending and waiting, if it is sent. */
cl_int call_status_after(const struct message *, const void *msg,
    unsigned flags, void (*sent)(void *arg), void *arg);

/*
 * What is to happen with the reply of a call that nobody waits for.  reply is
 * NULL, and status CL_DEVICE_NOT_AVAILABLE, when the connection was lost.
 * Runs once, in the thread that received the reply; it must not wait.
 */
typedef void call_then_function(void *arg, cl_int status, const void *reply);

/* Send a message and have then(arg, ...) called with its reply. */
cl_int call_then(const struct message *, const void *msg,
    call_then_function *then, void *arg);

/*
 * Wait until done(arg) is true; it is called with the state lock held and is
 * woken for by call_changed.  CL_DEVICE_NOT_AVAILABLE: the connection is gone
 * and done(arg) still false.
 */
cl_int call_wait(bool (*done)(void *), void *arg);

/*
 * The same for what was asked for just now.  It counts as a wait even where
 * another thread has taken the answer before this one comes to wait.
 */
cl_int call_wait_answer(bool (*done)(void *), void *arg);

/*
 * The lock over all state that incoming messages change: statuses of events,
 * watermarks, transfers.  Never held while calling out or sending bodies.
 */
void call_lock(void);
void call_unlock(void);

/* Say, with the lock held, that a waiter's condition may have come true. */
void call_changed(void);

/* The same where no message brought it, for which the leader sleeps. */
void call_changed_here(void);

/*
 * Say how many things are awaited that no thread waits for (a callback, a
 * reply to call_then): while there are any the service thread listens.
 */
void call_expect(int more);

/* CL_SUCCESS, or CL_DEVICE_NOT_AVAILABLE when the connection is gone. */
cl_int call_alive(void);

#endif
