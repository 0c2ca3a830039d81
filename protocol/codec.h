/* SPDX-License-Identifier: ISC */
/*
 * codec - messages between structs and bytes, driven by descriptor tables.
 *
 * A message's body is a row of 8-byte little-endian slots in the order of the
 * description.  Scalars, ids take one slot.  A string or bytes is a slot with
 * the length, the bytes, and one to eight zeros up to the next slot, so a
 * decoded string can be used in place.  An array is a slot with the count and
 * then its elements.  This is the only decoder of bytes from a peer.
 *
 * In a struct, spans of the encoder point to the caller's elements.  Spans of
 * the decoder point into the decoded body (nothing is copied): scalars and ids
 * are uint64_t there; elements of a list (string[], bytes[]) and kernel
 * arguments are taken one by one with list_next and args_next.
 */
#ifndef VGPU_PROTOCOL_CODEC_H
#define VGPU_PROTOCOL_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/buf.h"
#include "common/err.h"

#define PROTOCOL_VERSION_MIN 1
#define PROTOCOL_VERSION_MAX 1

#define FRAME_HEADER 16
#define FRAME_MAX_HELLO 4096u		/* before the session is admitted */
#define FRAME_MAX (512u << 20)
#define CODEC_ARRAY_MAX (1u << 20)	/* elements of an array or list */
#define CODEC_FIELDS_MAX 32

/* Features, in hello and welcome; 1 is FEATURE_ARENA of shared.h. */
#define FEATURE_CODED UINT64_C(2) /* data_pattern, data_packed */

/* Flags of a frame. */
#define FRAME_REPLY 1	/* the reply to the call with the same serial */
#define FRAME_NOTIFY 2	/* push the new event's completion without a watch */
#define FRAME_CONFIRM 4	/* reply with the status of this async call */
#define FRAME_PULL 8	/* the body waits until the host pulls it */

enum field_kind {
	FIELD_U64,	/* scalars that are unsigned on the wire */
	FIELD_U32,	/* scalar whose upper half must be zero */
	FIELD_I32,	/* scalar, sign-extended */
	FIELD_ID,
	FIELD_STRING,
	FIELD_BYTES,
	FIELD_U64S,
	FIELD_IDS,
	FIELD_LIST,	/* of bytes */
	FIELD_STRINGS,	/* of strings */
	FIELD_ARGS
};

/* The kinds of object that an id can name. */
enum obj_kind {
	OBJ_NONE, OBJ_PLATFORM, OBJ_DEVICE, OBJ_CONTEXT, OBJ_QUEUE, OBJ_MEM,
	OBJ_PROGRAM, OBJ_KERNEL, OBJ_EVENT, OBJ_SAMPLER, OBJ_COMMAND_BUFFER,
	OBJ_MUTABLE_COMMAND, OBJ_SEMAPHORE, OBJ_KIND_COUNT
};

#define FIELD_MAY_NULL 1
#define FIELD_NEW 2

struct field {
	const char *name;
	uint8_t kind;		/* enum field_kind */
	uint8_t object;		/* enum obj_kind of an id */
	uint8_t flags;
	uint8_t length;		/* elements required, 0: any */
	int8_t length_field;	/* field that holds them, -1: none */
	uint16_t offset;	/* in the struct */
};

enum call_class { CALL_LOCAL, CALL_ASYNC, CALL_SYNC, CALL_SESSION };

struct message {
	const char *name;
	const struct field *fields;
	const struct field *reply;
	uint16_t number;
	uint16_t size;		/* of the struct */
	uint16_t reply_size;
	uint8_t field_count;
	uint8_t reply_count;
	uint8_t call_class;
};

/* An id, or on the host the object that it was resolved to. */
union ref {
	uint64_t id;
	void *obj;
};

struct span {
	const void *p;
	uint64_t n;	/* bytes, or elements */
};

enum arg_kind { ARG_VALUE, ARG_LOCAL, ARG_MEM, ARG_IMAGE, ARG_SAMPLER,
	ARG_QUEUE, ARG_PIPE, ARG_SVM, ARG_KIND_COUNT };

/*
 * One kernel argument: a value of size bytes, an object's id as the value
 * (0: null), size bytes of local memory (no value), or an SVM address.
 */
struct arg {
	uint32_t index;
	uint32_t kind;
	uint64_t size;
	const void *value;
};

/* Append the body of a message.  Memory errors are sticky in the buffer. */
void codec_encode(struct buf *, const struct field *, unsigned count,
    const void *msg);

/*
 * Fill msg from a body of exactly len bytes, which stay the caller's and must
 * be aligned to 8.  VGPU_EPROTO, with field and reason in the text: cut short,
 * bytes left over, wrong length, a forbidden null or value.
 */
enum vgpu_err codec_decode(const void *body, size_t len, const struct field *,
    unsigned count, void *msg, struct err_text *);

/* A text, without its end; NULL: an empty one. */
struct span span_text(const char *);

/* Take the next element of a decoded list; false at its end. */
bool list_next(struct span *list, struct span *element);

/* Take the next kernel argument of a decoded arg[]; false at its end. */
bool args_next(struct span *args, struct arg *);

/* Print a message in one line for traces; contents of bytes are left out. */
void codec_print(char *out, size_t size, const struct message *,
    const void *msg);

/* The description of a message by its number; NULL: no such message. */
const struct message *message_find(unsigned number);

#endif
