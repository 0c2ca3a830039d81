/* SPDX-License-Identifier: ISC */
#include "hostd/extension.h"

#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/buf.h"
#include "hostd/extension_own.h"
#include "protocol/extensions.h"
#include "protocol/khr.h"

/* The next word of a list, whose end is text; NULL: there is none. */
static const char *
next_word(const char **text, size_t *n)
{
	const char *word = *text + strspn(*text, " ");

	*n = strcspn(word, " ");
	*text = word + *n;
	return *n > 0 ? word : NULL;
}

static bool
is_word(const char *word, const char *name, size_t n)
{
	return strncmp(word, name, n) == 0 && word[n] == '\0';
}

static const struct extension *
find(const char *name, size_t n)
{
	const char *pattern;
	size_t len;
	unsigned i;

	for (i = 0; i < extension_count; i++) {
		pattern = extension_list[i].name;
		len = strlen(pattern);
		if (pattern[len - 1] == '*' ?
		    n >= len - 1 && memcmp(name, pattern, len - 1) == 0 :
		    n == len && memcmp(name, pattern, len) == 0)
			return &extension_list[i];
	}
	return NULL;
}

/* One of the vendor's that works through vgpu. */
static bool
is_carried(const char *name, size_t n, const struct vendor_platform *p)
{
	const struct extension *e = find(name, n);
	unsigned i;

	if (e == NULL || e->own)
		return false;
	for (i = 0; extension_functions[i].name != NULL; i++)
		if (p->functions[i] == NULL &&
		    is_word(extension_functions[i].extension, name, n))
			return false;
	return true;
}

/* What vgpu carries out itself uses commands of OpenCL 1.2. */
static bool
can_have_own(const struct infoset *told)
{
	const char *text = infoset_text(told, CL_DEVICE_VERSION, "");
	unsigned major, minor;

	return sscanf(text, "OpenCL %u.%u", &major, &minor) == 2 &&
	    (major > 1 || minor >= 2);
}

/* ---- lists of names ------------------------------------------------------ */

static void
add_word(struct buf *b, const char *name, size_t n)
{
	if (buf_len(b) > 0)
		buf_append(b, " ", 1);
	buf_append(b, name, n);
}

static void
put_words(struct infoset *out, uint32_t param, struct buf *words)
{
	buf_append(words, "", 1);
	if (!words->failed)
		infoset_put(out, param, buf_front(words), buf_len(words));
	buf_fini(words);
}

static void
filter_names(struct infoset *out, const struct infoset *told,
    const struct vendor_platform *p)
{
	const char *text = infoset_text(told, CL_DEVICE_EXTENSIONS, "");
	const char *name;
	struct buf kept;
	unsigned i;
	size_t n;

	buf_init(&kept);
	while ((name = next_word(&text, &n)) != NULL)
		if (is_carried(name, n, p))
			add_word(&kept, name, n);
	for (i = 0; can_have_own(told) && i < extension_count; i++)
		if (extension_list[i].own)
			add_word(&kept, extension_list[i].name,
			    strlen(extension_list[i].name));
	put_words(out, CL_DEVICE_EXTENSIONS, &kept);
}

/* ---- lists with versions ------------------------------------------------- */

static void
add_version(struct buf *b, const char *name, size_t n, cl_version version)
{
	cl_name_version v = { .version = version };

	if (n >= sizeof(v.name))
		return;
	memcpy(v.name, name, n);
	buf_append(b, &v, sizeof(v));
}

static void
put_versions(struct infoset *out, uint32_t param, struct buf *list)
{
	if (!list->failed)
		infoset_put(out, param, buf_front(list), buf_len(list));
	buf_fini(list);
}

static const cl_name_version *
versions(const struct infoset *told, size_t *n)
{
	const void *p = infoset_find(told, CL_DEVICE_EXTENSIONS_WITH_VERSION,
	    n);

	*n = p != NULL ? *n / sizeof(cl_name_version) : 0;
	return p;
}

static void
filter_versions(struct infoset *out, const struct infoset *told,
    const struct vendor_platform *p)
{
	const cl_name_version *list;
	const char *name;
	struct buf kept;
	size_t n, i, len;

	if ((list = versions(told, &n)) == NULL)
		return;
	buf_init(&kept);
	for (i = 0; i < n; i++) {
		name = list[i].name;
		len = strnlen(name, sizeof(list[i].name));
		if (is_carried(name, len, p))
			add_version(&kept, name, len, list[i].version);
	}
	for (i = 0; can_have_own(told) && i < extension_count; i++)
		if (extension_list[i].own)
			add_version(&kept, extension_list[i].name,
			    strlen(extension_list[i].name),
			    extension_list[i].version);
	put_versions(out, CL_DEVICE_EXTENSIONS_WITH_VERSION, &kept);
}

void
extension_filter(struct infoset *out, const struct infoset *told,
    const struct vendor_platform *platform)
{
	uint32_t param;
	size_t at = 0, n;
	const void *p;

	while ((p = infoset_next(told, &at, &param, &n)) != NULL)
		if (param == CL_DEVICE_EXTENSIONS)
			filter_names(out, told, platform);
		else if (param == CL_DEVICE_EXTENSIONS_WITH_VERSION)
			filter_versions(out, told, platform);
		else
			infoset_put(out, param, p, n);
	if (can_have_own(told))
		extension_own_put(out, told);
}

static void
names_without(struct infoset *out, const char *text, const char *name)
{
	const char *word;
	struct buf kept;
	size_t n;

	buf_init(&kept);
	while ((word = next_word(&text, &n)) != NULL)
		if (!is_word(name, word, n))
			add_word(&kept, word, n);
	put_words(out, CL_DEVICE_EXTENSIONS, &kept);
}

void
extension_put_without(struct infoset *out, uint32_t param, const void *p,
    size_t n, const char *name)
{
	const cl_name_version *list = p;
	struct buf kept;
	size_t i;

	if (param == CL_DEVICE_EXTENSIONS) {
		names_without(out, p, name);
		return;
	}
	buf_init(&kept);
	for (i = 0; i < n / sizeof(*list); i++)
		if (strncmp(list[i].name, name, sizeof(list[i].name)) != 0)
			buf_append(&kept, &list[i], sizeof(list[i]));
	put_versions(out, param, &kept);
}

/* ---- what all devices have ----------------------------------------------- */

bool
extension_has(const struct infoset *device, const char *name, size_t n)
{
	const char *text = infoset_text(device, CL_DEVICE_EXTENSIONS, "");
	const char *word;
	size_t len;

	while ((word = next_word(&text, &len)) != NULL)
		if (len == n && memcmp(word, name, n) == 0)
			return true;
	return false;
}

/* The lowest version of an extension in any of the devices. */
static cl_version
lowest_version(const struct infoset *const *device, unsigned n,
    const char *name, size_t len)
{
	const cl_name_version *list;
	cl_version lowest = UINT32_MAX;
	size_t count, i;
	unsigned d;

	for (d = 0; d < n; d++) {
		list = versions(device[d], &count);
		for (i = 0; i < count; i++)
			if (strnlen(list[i].name, sizeof(list[i].name)) ==
			    len && memcmp(list[i].name, name, len) == 0 &&
			    list[i].version < lowest)
				lowest = list[i].version;
	}
	return lowest != UINT32_MAX ? lowest : 0;
}

void
extension_common(struct infoset *out, const struct infoset *const *device,
    unsigned n, bool with_versions)
{
	const char *text, *name;
	struct buf names, list;
	size_t len;
	unsigned i;

	buf_init(&names);
	buf_init(&list);
	add_word(&names, "cl_khr_icd", 10);
	add_version(&list, "cl_khr_icd", 10, CL_MAKE_VERSION(1, 0, 0));
	text = n > 0 ? infoset_text(device[0], CL_DEVICE_EXTENSIONS, "") : "";
	while ((name = next_word(&text, &len)) != NULL) {
		for (i = 1; i < n; i++)
			if (!extension_has(device[i], name, len))
				break;
		if (i < n || is_word("cl_khr_icd", name, len))
			continue;
		add_word(&names, name, len);
		add_version(&list, name, len,
		    lowest_version(device, n, name, len));
	}
	put_words(out, CL_PLATFORM_EXTENSIONS, &names);
	if (strstr(infoset_text(out, CL_PLATFORM_EXTENSIONS, ""),
	    "cl_khr_semaphore") != NULL)
		infoset_put_u32(out, CL_PLATFORM_SEMAPHORE_TYPES_KHR,
		    CL_SEMAPHORE_TYPE_BINARY_KHR);
	if (with_versions)
		put_versions(out, CL_PLATFORM_EXTENSIONS_WITH_VERSION, &list);
	else
		buf_fini(&list);
}
