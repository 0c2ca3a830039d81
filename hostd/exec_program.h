/* SPDX-License-Identifier: ISC */
/*
 * exec_program - programs on the host.
 *
 * What runs a compiler does so in a worker; the program is busy meanwhile, and
 * a message that needs it waits, with those behind it, until it is not.
 */
#ifndef VGPU_HOSTD_EXEC_PROGRAM_H
#define VGPU_HOSTD_EXEC_PROGRAM_H

#include "hostd/serve.h"

#define PROGRAM_DEVICES_MAX 256

/* What the arguments of a kernel are, by its name. */
struct kernel_kinds {
	char *name;
	unsigned count;
	uint8_t *kind;	/* enum arg_kind */
	bool *reads_only;	/* arguments whose memory is not written */
};

/* What the vendor made of a program that was compiled for later, or linked. */
struct program_binary {
	cl_program_binary_type type;
	size_t size;
	uint8_t bytes[];
};

struct vprogram {
	struct vobj o;
	struct vcontext *context;
	unsigned device_count;
	struct vdevice **devices;	/* in the client's order */
	bool built_in;
	bool rewritten;		/* native is not made of what was given */
	bool remade_rewritten;	/* nor is the one that program_remake made */
	bool wished;		/* for arguments' names; the client did not */
	bool busy;		/* a worker has it; loop thread */
	bool awaited;		/* by the message at which the lane stands */
	struct recipe *build;	/* the last good one; of a context that moves */
	struct program_binary *binary;	/* kept, once it has moved */
	struct infoset constants;	/* specialization: id, value */
	size_t built_constants;	/* bytes of them that build had */
	uint64_t hash;		/* of its code; 0: not made yet */
	unsigned kinds_count;
	struct kernel_kinds *kinds;	/* of the last build */
};

/* Under the client's id; n devices, or all of the context's when list->n is
 * 0.  NULL: the call or the connection has failed. */
struct vprogram *vprogram_new(struct serve *, struct call *, uint64_t id,
    struct vcontext *, const struct span *list);

/* True: return at once, the call comes again when the program is not busy. */
bool vprogram_wait(struct serve *, struct vprogram *);

/* The program is not busy any more. */
void vprogram_settle(struct serve *, struct vprogram *);

/*
 * Kernels that print need standard output looked at (output.h): these may, if
 * their source says so; NULL: nobody knows.
 */
void vprogram_note_printing(struct serve *, const struct span *source);

/* Native devices of a list of the message, or all of the program's. */
unsigned vprogram_devices(const struct vprogram *, const struct span *list,
    cl_device_id *out, unsigned max);

/*
 * Have the native program made of source, or where that is empty of what the
 * client gave.  In the loop, or in the worker that has the program.
 */
cl_int vprogram_make(struct vprogram *, const struct span *source);
/* Those of them that are in a member; in all where it is the only one. */
unsigned vprogram_member_devices(const struct vprogram *,
    const struct span *list, unsigned member, cl_device_id *out, unsigned max);

/*
 * In the worker that has the program: build it as this message wanted, in a
 * member of one device.
 */
cl_int program_build_again(struct vprogram *, unsigned member, cl_device_id,
    const struct msg_clBuildProgram *);

/* The member of one of the program's native devices. */
unsigned vprogram_member(const struct vprogram *, cl_device_id);

/* Free the kinds of count kernels; NULL: nothing. */
void kernel_kinds_free(struct kernel_kinds *, unsigned count);

/* Have the kinds of count kernels, taken, in the place of the old ones. */
void vprogram_set_kinds(struct vprogram *, struct kernel_kinds *,
    unsigned count);

/* The kinds of a kernel; NULL: there is none of this name. */
const struct kernel_kinds *vprogram_kinds(const struct vprogram *,
    const char *name);

#endif
