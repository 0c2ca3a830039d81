/* SPDX-License-Identifier: ISC */
#include "hostd/view.h"

#include <CL/cl_ext.h>

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostd/alias.h"

#define WORD_MAX 256

/* Of cl_nv_device_attribute_query, which no header has. */
#define DEVICE_PCI_BUS_ID_NV 0x4008
#define DEVICE_PCI_SLOT_ID_NV 0x4009
#define DEVICE_PCI_DOMAIN_ID_NV 0x400A

static const char *const kind_names[VIEW_KINDS] = {
	[VIEW_PHYSICAL] = "physical",
	[VIEW_CLASS] = "class",
	[VIEW_SINGLE] = "single",
};

enum view_kind
view_kind(const char *name)
{
	enum view_kind k;

	for (k = 0; k < VIEW_KINDS; k++)
		if (strcmp(kind_names[k], name) == 0)
			break;
	return k;
}

const char *
view_name(enum view_kind k)
{
	return kind_names[k];
}

/* ---- classes ------------------------------------------------------------- */

bool
view_is_identity(uint32_t param)
{
	switch (param) {
	case CL_DEVICE_UUID_KHR:
	case CL_DEVICE_VENDOR_ID: /* PoCL numbers its devices by it */
	case CL_DEVICE_LUID_VALID_KHR:
	case CL_DEVICE_LUID_KHR:
	case CL_DEVICE_NODE_MASK_KHR:
	case CL_DEVICE_PCI_BUS_INFO_KHR:
	case DEVICE_PCI_BUS_ID_NV:
	case DEVICE_PCI_SLOT_ID_NV:
	case DEVICE_PCI_DOMAIN_ID_NV:
	case CL_DEVICE_TOPOLOGY_AMD:
	case CL_DEVICE_GLOBAL_FREE_MEMORY_AMD:
	case CL_DEVICE_PROFILING_TIMER_OFFSET_AMD:
		return true;
	default:
		return false;
	}
}

/* The next entry that is no identity. */
static const void *
next(const struct infoset *s, size_t *at, uint32_t *param, size_t *n)
{
	const void *p;

	do
		p = infoset_next(s, at, param, n);
	while (p != NULL && view_is_identity(*param));
	return p;
}

/* Probes ask all devices for the same properties in the same order. */
static bool
same_set(const struct infoset *a, const struct infoset *b)
{
	size_t at_a = 0, at_b = 0, n_a, n_b;
	const void *p_a, *p_b;
	uint32_t a_is, b_is;

	for (;;) {
		p_a = next(a, &at_a, &a_is, &n_a);
		p_b = next(b, &at_b, &b_is, &n_b);
		if (p_a == NULL || p_b == NULL)
			return p_a == p_b;
		if (a_is != b_is || n_a != n_b || memcmp(p_a, p_b, n_a) != 0)
			return false;
	}
}

bool
view_same_class(const struct pool_device *a, const struct pool_device *b)
{
	return a->simulator == b->simulator && a->fallback == b->fallback &&
	    same_set(&a->info, &b->info) &&
	    same_set(&a->platform_info, &b->platform_info);
}

/* ---- standing in ---------------------------------------------------------- */

enum relation { EQUAL, AT_LEAST };

const char *
view_lacks(const struct pool_device *shown, const struct pool_device *d)
{
	static const struct {
		uint32_t param;
		enum relation relation;
		const char *what;
	} table[] = {
		{ CL_DEVICE_ADDRESS_BITS, EQUAL, "addresses as wide" },
		{ CL_DEVICE_ENDIAN_LITTLE, EQUAL, "the order of bytes" },
		{ CL_DEVICE_COMPILER_AVAILABLE, AT_LEAST, "a compiler" },
		{ CL_DEVICE_IMAGE_SUPPORT, AT_LEAST, "images" },
		{ CL_DEVICE_MAX_WORK_GROUP_SIZE, AT_LEAST,
		    "work-groups as large" },
		{ CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, AT_LEAST,
		    "as many dimensions" },
	};
	uint64_t had, has;
	size_t i;

	if (d->simulator && !shown->simulator)
		return "the speed of a real device";
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		had = infoset_u64(&shown->info, table[i].param, 0);
		has = infoset_u64(&d->info, table[i].param, 0);
		if (table[i].relation == EQUAL ? has != had : has < had)
			return table[i].what;
	}
	return NULL;
}

/* ---- choosing ------------------------------------------------------------ */

static const char *
shown_name(const struct view_device *d, const char *names,
    char out[ALIAS_MAX])
{
	return alias_name(names, infoset_text(&d->member[0]->info,
	    CL_DEVICE_NAME, ""), out, ALIAS_MAX);
}

static bool
is_number(const char *word, unsigned place)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", place);
	return strcmp(word, text) == 0;
}

/* Members have one name, but may be of several vendors. */
static bool
word_matches(const char *word, const struct pool *p, const char *names,
    const struct view_device *d, unsigned place)
{
	char name[ALIAS_MAX];
	unsigned i;

	if (is_number(word, place) || fnmatch(word, shown_name(d, names, name),
	    FNM_CASEFOLD) == 0)
		return true;
	for (i = 0; i < d->count; i++)
		if (fnmatch(word, p->vendors[d->member[i]->vendor].name,
		    FNM_CASEFOLD) == 0)
			return true;
	return false;
}

static bool
is_chosen(const char *only, const struct pool *p, const char *names,
    const struct view_device *d, unsigned place)
{
	char word[WORD_MAX];
	size_t n;

	while (*(only += strspn(only, ", ")) != '\0') {
		n = strcspn(only, ",");
		if (n < sizeof(word)) {
			memcpy(word, only, n);
			while (word[n - 1] == ' ')
				n--;
			word[n] = '\0';
			if (word_matches(word, p, names, d, place))
				return true;
		}
		only += strcspn(only, ",");
	}
	return false;
}

static void
choose(struct view *v, const struct pool *p, const char *only,
    const char *names)
{
	unsigned i, kept = 0;

	if (only[strspn(only, ", ")] == '\0')
		return;
	for (i = 0; i < v->count; i++)
		if (is_chosen(only, p, names, &v->device[i], i))
			v->device[kept++] = v->device[i];
	v->count = kept;
}

/* ---- making -------------------------------------------------------------- */

/* The device and, in a view of classes, all later ones that are like it. */
static void
gather(struct view *v, const struct pool *p, unsigned first, bool classes,
    bool *taken, unsigned *members)
{
	struct view_device *d = &v->device[v->count++];
	unsigned i;

	d->member = &v->members[*members];
	for (i = first; i < p->device_count; i++) {
		if (taken[i] || (i > first && (!classes || !view_same_class(
		    &p->devices[first], &p->devices[i]))))
			continue;
		taken[i] = true;
		d->member[d->count++] = &p->devices[i];
	}
	*members += d->count;
}

enum vgpu_err
view_make(struct view *v, const struct pool *p, enum view_kind kind,
    const char *only, const char *names)
{
	bool taken[POOL_DEVICES_MAX] = { false };
	unsigned i, members = 0;

	memset(v, 0, sizeof(*v));
	v->device = calloc(p->device_count + 1, sizeof(*v->device));
	v->members = calloc(p->device_count + 1, sizeof(*v->members));
	if (v->device == NULL || v->members == NULL) {
		view_fini(v);
		return VGPU_ENOMEM;
	}
	for (i = 0; i < p->device_count; i++)
		if (!taken[i])
			gather(v, p, i, kind != VIEW_PHYSICAL, taken,
			    &members);
	choose(v, p, only, names);
	if (kind == VIEW_SINGLE && v->count > 1)
		v->count = 1;
	return VGPU_OK;
}

void
view_fini(struct view *v)
{
	free(v->device);
	free(v->members);
	memset(v, 0, sizeof(*v));
}

void
view_list(const struct view *v, const char *names, char *out, size_t size)
{
	char name[ALIAS_MAX];
	size_t at = 0;
	unsigned i;
	int n;

	out[0] = '\0';
	for (i = 0; i < v->count; i++) {
		n = snprintf(out + at, size - at, "%s%u %s", i > 0 ? ", " : "",
		    i, shown_name(&v->device[i], names, name));
		if (n < 0 || (size_t)n >= size - at) {
			strcpy(out + (at + 4 < size ? at : size - 4), "...");
			return;
		}
		at += (size_t)n;
	}
}
