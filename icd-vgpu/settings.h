/* SPDX-License-Identifier: ISC */
/*
 * settings - what the client library is told: which host, which certificates.
 *
 * A keyword is looked up in the environment (VGPU_ and the keyword in
 * capitals), then in $XDG_CONFIG_HOME/vgpu/client.conf (~/.config where that is
 * not set), then in /etc/vgpu/client.conf; the first that sets it wins.  In a
 * process with raised privileges (setuid) the environment is not looked at,
 * so only the last of them counts.
 *
 * A line of a file is "keyword value" or "keyword = value"; # begins a comment
 * at the start of a line or after a blank; values with blanks stand in single
 * or double quotes.  A relative path in a file is relative to the file.
 * Nothing here connects, prints, or changes the environment.
 */
#ifndef VGPU_ICD_SETTINGS_H
#define VGPU_ICD_SETTINGS_H

#include <stddef.h>

#include "common/err.h"

enum settings_key {
	SETTINGS_HOST,		/* URL of the daemon */
	SETTINGS_CA,		/* file: who may be a host */
	SETTINGS_CERT,		/* file: who we are */
	SETTINGS_KEY,		/* file: the certificate's key */
	SETTINGS_HOST_USER,	/* who else may be a host on this machine */
	SETTINGS_TIMEOUT,	/* ms to wait for a host; 2000 */
	SETTINGS_TRACE,		/* what to trace ("calls") */
	SETTINGS_TRACE_FILE,	/* where to, if not to standard error */
	SETTINGS_DEVICES,	/* which of the pool's devices, as text */
	SETTINGS_VIEW,		/* how they are shown, as text */
	SETTINGS_COUNT
};

struct settings {
	char *value[SETTINGS_COUNT];	/* NULL: not set */
	char *origin[SETTINGS_COUNT];	/* "VGPU_HOST", "FILE:3", "default" */
	unsigned timeout_ms;		/* SETTINGS_TIMEOUT as a number */
};

/* Where to look; for tests, and for a tool that explains. */
struct settings_source {
	char *(*env)(const char *name);	/* NULL: no environment */
	char *file[2];			/* user's, system's; NULL: none */
};

/*
 * Fill in the places that the top of this file names.  The strings belong to
 * the caller; end with settings_source_fini.  VGPU_ENOMEM.
 */
enum vgpu_err settings_source_init(struct settings_source *);
void settings_source_fini(struct settings_source *);

/*
 * Read all settings.  value[SETTINGS_HOST] NULL with VGPU_OK means that no
 * host is configured.  Where ca, cert or key is not set, they are ca.pem,
 * cert.pem and key.pem beside the file that set the host, else beside the
 * first file that was read, else in the first file's folder that has a ca.pem.
 * They need not exist.  The strings belong to the settings; end with
 * settings_fini.
 * VGPU_ECONF: text is "FILE:LINE: what is wrong, what was expected", or names
 * the variable or the file.  VGPU_ENOMEM.  On error there is nothing to end.
 */
enum vgpu_err settings_load_from(struct settings *,
    const struct settings_source *, struct err_text *);

/* settings_load_from with the places of settings_source_init. */
enum vgpu_err settings_load(struct settings *, struct err_text *);

void settings_fini(struct settings *);

/* A key's keyword ("host") and its variable's name ("VGPU_HOST"). */
const char *settings_keyword(enum settings_key);
const char *settings_variable(enum settings_key);

#endif
