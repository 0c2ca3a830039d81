/* SPDX-License-Identifier: ISC */
/*
 * idtab - the objects of one session, by the ids its client chose.
 *
 * The client names an object before the host has made it, so a call and its
 * result need no round trip.  The low half of an id is a slot, the high half
 * the slot's generation, which only grows: an id that was released, or never
 * made, is told from a live one without any message about ids.
 *
 * Owned by the loop thread; nothing here locks.
 */
#ifndef VGPU_HOSTD_IDTAB_H
#define VGPU_HOSTD_IDTAB_H

#include <stdint.h>

#include "common/err.h"
#include "protocol/codec.h"

struct idtab;

/* A table of at most slots_max slots; NULL: out of memory. */
struct idtab *idtab_new(uint32_t slots_max);
void idtab_free(struct idtab *);

/*
 * Enter obj under an id from the peer.  The table borrows obj.
 * VGPU_EQUOTA: slot out of range.  VGPU_EHANDLE: slot in use, slot 0, or the
 * generation is not newer than the slot's last one.  VGPU_ENOMEM.
 */
enum vgpu_err idtab_put(struct idtab *, uint64_t id, enum obj_kind, void *obj);

/* The object of an id; NULL: none, or of another kind (OBJ_NONE: any). */
void *idtab_get(const struct idtab *, uint64_t id, enum obj_kind);

/* The same, and remove it. */
void *idtab_take(struct idtab *, uint64_t id, enum obj_kind);

/* fn(arg, obj) for each object; fn neither puts nor takes any. */
void idtab_each(const struct idtab *, void (*fn)(void *arg, void *obj),
    void *arg);

#endif
