/* SPDX-License-Identifier: ISC */
#include "hostd/conf_table.h"

#include <string.h>

#define PRESENT "gpu|cpu|accelerator"
#define VIEWS "physical|class|single"
#define ORDERS "load|speed|fixed"
#define NAME_LEN_MAX 32

const struct conf_key conf_keys[] = {
	{ NULL, "listen", CONF_LIST, "vgpu://*:9443", 0, 0, NULL,
	    "addresses such as \"vgpu://192.0.2.1:9443\"" },
	{ NULL, "socket-mode", CONF_CHOICE, "0666", 0, 0,
	    "0600|0660|0666", "the permissions of Unix sockets" },
	{ NULL, "socket-group", CONF_TEXT, NULL, 0, 0, NULL,
	    "the group that Unix sockets belong to" },
	{ NULL, "port-file", CONF_TEXT, NULL, 0, 0, NULL,
	    "a file that gets the port of the first listener" },
	{ NULL, "control", CONF_TEXT, "/run/vgpu/control", 0, 0, NULL,
	    "the Unix socket where vgpuctl asks" },
	{ NULL, "control-group", CONF_TEXT, NULL, 0, 0, NULL,
	    "the group that may ask there" },
	{ NULL, "ca", CONF_TEXT, "/etc/vgpu/ca.pem", 0, 0, NULL,
	    "the certificate that signs hosts and clients" },
	{ NULL, "certificate", CONF_TEXT, "/etc/vgpu/host.pem", 0, 0, NULL,
	    "this host's certificate" },
	{ NULL, "key", CONF_TEXT, "/etc/vgpu/host.key", 0, 0, NULL,
	    "this host's private key" },
	{ NULL, "vendors", CONF_LIST, "/etc/OpenCL/vendors", 0, 0, NULL,
	    "folders of .icd files, .icd files, or vendors' libraries" },
	{ NULL, "state-dir", CONF_TEXT, "/var/lib/vgpu", 0, 0, NULL,
	    "the folder for what is kept between runs" },
	{ NULL, "build-cache", CONF_NUMBER, "256", 0, 65536, NULL,
	    "MiB of built programs that are kept for each tenant" },
	{ NULL, "session-user", CONF_TEXT, NULL, 0, 0, NULL,
	    "the user that sessions run as" },
	{ NULL, "log-level", CONF_CHOICE, "info", 0, 0,
	    "error|warn|info|debug", "how much is logged" },
	{ NULL, "max-sessions", CONF_NUMBER, "256", 1, 65536, NULL,
	    "how many sessions at a time" },
	{ NULL, "max-handshakes", CONF_NUMBER, "64", 1, 4096, NULL,
	    "how many clients at a time whose identity is not yet known" },
	{ NULL, "handshake-timeout", CONF_NUMBER, "10", 1, 600, NULL,
	    "seconds in which a client must prove its identity" },
	{ NULL, "warm-sessions", CONF_NUMBER, "2", 1, 64, NULL,
	    "how many session processes wait for clients" },
	{ NULL, "probe-timeout", CONF_NUMBER, "20", 1, 600, NULL,
	    "seconds in which a vendor must list its devices" },
	{ NULL, "rescan", CONF_NUMBER, "0", 0, 86400, NULL,
	    "seconds until vendors are asked again; 0: never" },
	{ NULL, "rebalance", CONF_NUMBER, "10", 0, 3600, NULL,
	    "seconds between looks at uneven load; 0: none" },
	{ NULL, "present-as", CONF_CHOICE, NULL, 0, 0, PRESENT,
	    "the type that CPU devices are shown with" },
	{ NULL, "view", CONF_CHOICE, "class", 0, 0, VIEWS,
	    "how much of the devices is shown" },
	{ NULL, "order", CONF_CHOICE, "load", 0, 0, ORDERS,
	    "which of alike devices come first" },
	{ NULL, "names", CONF_LIST, NULL, 0, 0, NULL,
	    "names to show, as PATTERN=NAME" },
	{ NULL, "move-across", CONF_CHOICE, "no", 0, 0, "no|yes",
	    "whether contexts may move to devices of another class" },
	{ NULL, "placement", CONF_CHOICE, "least-loaded", 0, 0,
	    "least-loaded|round-robin|pack|weighted",
	    "how it is decided which device runs what" },
	{ NULL, "weights", CONF_LIST, NULL, 0, 0, NULL,
	    "shares of devices, as PATTERN=NUMBER" },
	{ NULL, "prefer-vendors", CONF_LIST, NULL, 0, 0, NULL,
	    "patterns of vendors' file names, the best first" },
	{ NULL, "tenant", CONF_TITLED, NULL, 0, 0, NULL,
	    "a tenant, by the name in its certificates" },
	{ NULL, "tenant-default", CONF_SECTION, NULL, 0, 0, NULL,
	    "what holds for tenants that are not named" },

	{ "tenant", "users", CONF_LIST, NULL, 0, 0, NULL,
	    "users of this machine who are this tenant" },
	{ "tenant", "groups", CONF_LIST, NULL, 0, 0, NULL,
	    "groups of this machine whose users are this tenant" },
	{ "tenant", "present-as", CONF_CHOICE, NULL, 0, 0, PRESENT,
	    "the type that CPU devices are shown with" },
	{ "tenant", "view", CONF_CHOICE, NULL, 0, 0, VIEWS,
	    "how much of the devices is shown" },
	{ "tenant", "order", CONF_CHOICE, NULL, 0, 0, ORDERS,
	    "which of alike devices come first" },
	{ "tenant", "names", CONF_LIST, NULL, 0, 0, NULL,
	    "names to show, as PATTERN=NAME" },
	{ "tenant", "move-across", CONF_CHOICE, NULL, 0, 0, "no|yes",
	    "whether contexts may move to devices of another class" },
	{ "tenant", "max-sessions", CONF_NUMBER, NULL, 1, 65536, NULL,
	    "how many sessions of this tenant at a time" },
	{ "tenant", "devices", CONF_LIST, NULL, 0, 0, NULL,
	    "patterns of device names or of vendors' file names" },

	{ "tenant-default", "allow-any", CONF_FLAG, "no", 0, 0, NULL,
	    "whether every certificate that the ca signed is accepted" },
	{ "tenant-default", "users", CONF_LIST, NULL, 0, 0, NULL,
	    "users of this machine, each a tenant" },
	{ "tenant-default", "groups", CONF_LIST, NULL, 0, 0, NULL,
	    "groups of this machine whose users are each a tenant" },
	{ "tenant-default", "present-as", CONF_CHOICE, NULL, 0, 0, PRESENT,
	    "the type that CPU devices are shown with" },
	{ "tenant-default", "view", CONF_CHOICE, NULL, 0, 0, VIEWS,
	    "how much of the devices is shown" },
	{ "tenant-default", "order", CONF_CHOICE, NULL, 0, 0, ORDERS,
	    "which of alike devices come first" },
	{ "tenant-default", "names", CONF_LIST, NULL, 0, 0, NULL,
	    "names to show, as PATTERN=NAME" },
	{ "tenant-default", "move-across", CONF_CHOICE, NULL, 0, 0, "no|yes",
	    "whether contexts may move to devices of another class" },
	{ "tenant-default", "max-sessions", CONF_NUMBER, NULL, 1, 65536, NULL,
	    "how many sessions of each such tenant at a time" },
	{ "tenant-default", "devices", CONF_LIST, NULL, 0, 0, NULL,
	    "patterns of device names or of vendors' file names" },
	{ .name = NULL },
};

static int
same_section(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		return a == b;
	return strcmp(a, b) == 0;
}

const struct conf_key *
conf_key_find(const char *section, const char *name)
{
	const struct conf_key *k;

	for (k = conf_keys; k->name != NULL; k++)
		if (same_section(k->section, section) &&
		    strcmp(k->name, name) == 0)
			return k;
	return NULL;
}

static unsigned
min3(unsigned a, unsigned b, unsigned c)
{
	if (b < a)
		a = b;
	return c < a ? c : a;
}

/* Insertions, deletions and replacements between two words (Levenshtein). */
static unsigned
distance(const char *a, const char *b)
{
	unsigned row[NAME_LEN_MAX + 1], i, j, left, corner;
	unsigned n = (unsigned)strnlen(b, NAME_LEN_MAX);

	for (j = 0; j <= n; j++)
		row[j] = j;
	for (i = 1; a[i - 1] != '\0'; i++) {
		corner = row[0];
		row[0] = i;
		for (j = 1; j <= n; j++) {
			left = row[j];
			row[j] = min3(row[j] + 1, row[j - 1] + 1,
			    corner + (a[i - 1] != b[j - 1]));
			corner = left;
		}
	}
	return row[n];
}

const struct conf_key *
conf_key_nearest(const char *section, const char *name)
{
	const struct conf_key *k, *best = NULL;
	unsigned d, least = 4; /* further away is no help */

	if (strlen(name) > NAME_LEN_MAX)
		return NULL;
	for (k = conf_keys; k->name != NULL; k++) {
		if (!same_section(k->section, section))
			continue;
		d = distance(k->name, name);
		if (d < least && d < strlen(k->name)) {
			least = d;
			best = k;
		}
	}
	return best;
}

int
conf_choice(const char *choices, const char *word)
{
	size_t n = strlen(word), len;
	const char *p;
	int i = 0;

	for (p = choices; *p != '\0'; i++) {
		len = strcspn(p, "|");
		if (len == n && strncmp(p, word, n) == 0)
			return i;
		p += len + (p[len] == '|');
	}
	return -1;
}
