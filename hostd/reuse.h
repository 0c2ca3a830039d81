/* SPDX-License-Identifier: ISC */
/*
 * reuse - builds that are answered by what an earlier one has left.
 *
 * The reply of a build, and the vendor's binary, are kept in the tenant's
 * folder (build_store.h) under the hash of all that they depend on
 * (build_key.h).  The next client of the tenant that builds the same gets the
 * same reply, log and kernels' arguments included, and a native program made of
 * the binary, without a compiler.  Whatever is wrong with an entry or a binary,
 * the program is built from what the client gave.  All that is behind the reply:
 * so an entry whose binary is still being made answers, too.
 *
 * Kept are builds that went well, of programs of source or intermediate
 * language for the only device of their context.
 */
#ifndef VGPU_HOSTD_REUSE_H
#define VGPU_HOSTD_REUSE_H

#include "hostd/build_job.h"
#include "hostd/program_code.h"

#define REUSE_BINARY_MAX ((size_t)8 << 20)

/* An entry is an infoset of these. */
enum reuse_part {
	REUSE_REPLY = 1,	/* the reply to clBuildProgram, encoded */
	REUSE_WISHED,		/* u32: vprogram.wished */
	REUSE_BINARY,
};

/*
 * The job's build from an entry, and its reply.  False: there is none, or it is
 * of no use, and nothing was said.  In its worker, include files at hand.
 */
bool reuse_answer(struct build_job *);

/*
 * The same job was built, and this was its reply: keep it.  options: those
 * that the vendor was given.
 */
void reuse_keep(const struct build_job *, const struct reply_clBuildProgram *,
    const char *options);

/*
 * Around a reply and what is kept after it: a client that leaves with the reply
 * would else end its session before that.  And at the end, wait for it, so
 * many milliseconds at most.
 */
void reuse_hold(void);
void reuse_let_go(void);
void reuse_wait(int ms);

/* The folder of the entries, in that of a tenant. */
void reuse_folder(const char *state_dir, char *out, size_t size);

/* The binary of the first device of a built program, appended to out. */
bool reuse_read_binary(cl_program, struct buf *out);

#endif
