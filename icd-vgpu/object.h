/* SPDX-License-Identifier: ISC */
/*
 * object - what every OpenCL handle points to.
 *
 * The first two words are the loader's (cl_khr_icd, versions 1 and 2), so a
 * handle works in any loader of the process.  Then come kind, reference count
 * and the id under which the host knows the object: a slot in the low half, a
 * generation that only grows in the high half, chosen here so that creation
 * needs no answer.
 *
 * Reference counts live here alone; the host hears of the last release.
 */
#ifndef VGPU_ICD_OBJECT_H
#define VGPU_ICD_OBJECT_H

#include <CL/cl_icd.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "icd-vgpu/fork.h"
#include "protocol/codec.h"

struct object {
	const struct _cl_icd_dispatch *dispatch;
	void *loader_data;
	uint32_t magic;
	uint32_t kind;		/* enum obj_kind */
	atomic_uint uses;	/* the program's references and ours */
	atomic_uint refs;	/* the program's references alone */
	atomic_uint holders;	/* of the memory: all uses together, and more */
	uint64_t id;
	atomic_int error;	/* code of a failed creation, or CL_SUCCESS */
	bool local;		/* the host does not know it */
	void (*fini)(struct object *);	/* what its own file has to free */
};

/*
 * Allocate size bytes, zeroed, that begin with an object of one use and one
 * reference, and give it an id.  fini (may be NULL) frees what the object
 * holds, not the object.  NULL: out of memory or ids.
 */
void *object_new(enum obj_kind, size_t size, void (*fini)(struct object *));

/* The object of a handle, or NULL when it is null or of another kind. */
struct object *object_check(const void *handle, enum obj_kind);

/* The program's references; the last release tells the host. */
cl_int object_retain(struct object *);
cl_int object_release(struct object *);

/*
 * Our own uses (a queue's context, a kernel's argument): keep the object and
 * its id alive without being counted in queries.
 */
void *object_use(void *object);
void object_unuse(void *object);

/*
 * A kernel does not keep its arguments (OpenCL 3.0, 5.9.2), but has to tell
 * whether one is still there: hold keeps the memory alone, until let_go, and
 * use_live adds a use where the object lives.  let_go accepts NULL.
 */
struct object *object_hold(struct object *);
void object_let_go(struct object *);
bool object_use_live(struct object *);

/* The object of an id with a use added, NULL when there is none. */
struct object *object_find(uint64_t id, enum obj_kind);

/* Call visit for every live object, with a use held; for a lost connection. */
void object_each(void (*visit)(struct object *));

/*
 * In a child after fork no object of the parent's is valid, and nothing frees
 * them; ids are given out anew.
 */
void object_fork(enum fork_phase);

/*
 * In the child, make the parent's object valid again, without an id; and give
 * it one.  False: out of memory.
 */
void object_revive(struct object *);
bool object_adopt(struct object *);

/* Make it invalid for ever, though it lives. */
void object_kill(struct object *);

/* Ids of n handles, all of one kind; false when one is not. */
bool object_ids(uint64_t *ids, const void *handles, uint64_t n, enum obj_kind);

/* Where a query's answer goes. */
struct info_out {
	size_t size;
	void *value;
	size_t *size_ret;
};

/* Answer a query with n bytes.  CL_INVALID_VALUE: the caller's size is less. */
cl_int info_bytes(struct info_out *, const void *, size_t n);
cl_int info_string(struct info_out *, const char *);

#define INFO_VALUE(out, type, v) info_bytes(out, &(type){ v }, sizeof(type))

#endif
