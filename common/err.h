/* SPDX-License-Identifier: ISC */
/*
 * err - the one enumeration of what can go wrong, and a line of text for it.
 *
 * Libraries return an error and fill a struct err_text; programs log it once,
 * where the decision is taken.  Each code has a scope, which says how much it
 * kills: the call, the session, the connection or the process.
 */
#ifndef VGPU_COMMON_ERR_H
#define VGPU_COMMON_ERR_H

enum vgpu_err {
	VGPU_OK = 0,
	VGPU_EAGAIN,	/* call: nothing to read or no room to write now */
	VGPU_EHANDLE,	/* call: no such object, or of another kind */
	VGPU_EQUOTA,	/* call: a limit of this session or tenant is reached */
	VGPU_ENOMEM,	/* call: out of host memory */
	VGPU_ECL,	/* call: OpenCL returned an error */
	VGPU_EPROTO,	/* connection: bytes that the protocol does not allow */
	VGPU_EVERSION,	/* connection: no common protocol version */
	VGPU_EAUTH,	/* connection: certificate or token not accepted */
	VGPU_ETLS,	/* connection: TLS failed */
	VGPU_ECLOSED,	/* connection: the peer is gone */
	VGPU_ETIME,	/* connection: deadline passed */
	VGPU_ESYS,	/* process: a system call failed */
	VGPU_ECONF,	/* process: the configuration is wrong */
	VGPU_ERR_COUNT
};

enum err_scope { ERR_CALL, ERR_SESSION, ERR_CONNECTION, ERR_PROCESS };

#define ERR_TEXT_MAX 512

/* One line of text; what is wrong, where, what was expected. */
struct err_text {
	char s[ERR_TEXT_MAX];
};

/* The short name of an error, such as "protocol"; never NULL. */
const char *err_name(enum vgpu_err);

/* How much an error kills. */
enum err_scope err_scope(enum vgpu_err);

/* Fill text (which may be NULL) and return e, for use in return statements. */
enum vgpu_err err_set(struct err_text *text, enum vgpu_err e,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Append ": <strerror(errno)>" to what err_set would have written. */
enum vgpu_err err_sys(struct err_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
