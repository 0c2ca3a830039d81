/* SPDX-License-Identifier: ISC */
#include "common/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	enum err_scope scope;
} errors[VGPU_ERR_COUNT] = {
	[VGPU_OK] = { "ok", ERR_CALL },
	[VGPU_EAGAIN] = { "again", ERR_CALL },
	[VGPU_EHANDLE] = { "handle", ERR_CALL },
	[VGPU_EQUOTA] = { "quota", ERR_CALL },
	[VGPU_ENOMEM] = { "memory", ERR_CALL },
	[VGPU_ECL] = { "opencl", ERR_CALL },
	[VGPU_EPROTO] = { "protocol", ERR_CONNECTION },
	[VGPU_EVERSION] = { "version", ERR_CONNECTION },
	[VGPU_EAUTH] = { "identity", ERR_CONNECTION },
	[VGPU_ETLS] = { "tls", ERR_CONNECTION },
	[VGPU_ECLOSED] = { "closed", ERR_CONNECTION },
	[VGPU_ETIME] = { "time", ERR_CONNECTION },
	[VGPU_ESYS] = { "system", ERR_PROCESS },
	[VGPU_ECONF] = { "configuration", ERR_PROCESS },
};

const char *
err_name(enum vgpu_err e)
{
	return (unsigned)e < VGPU_ERR_COUNT ? errors[e].name : "unknown";
}

enum err_scope
err_scope(enum vgpu_err e)
{
	return (unsigned)e < VGPU_ERR_COUNT ? errors[e].scope : ERR_PROCESS;
}

enum vgpu_err
err_set(struct err_text *text, enum vgpu_err e, const char *format, ...)
{
	va_list ap;

	if (text == NULL)
		return e;
	va_start(ap, format);
	vsnprintf(text->s, sizeof(text->s), format, ap);
	va_end(ap);
	return e;
}

enum vgpu_err
err_sys(struct err_text *text, const char *format, ...)
{
	int error = errno;
	size_t n;
	va_list ap;

	if (text == NULL)
		return VGPU_ESYS;
	va_start(ap, format);
	vsnprintf(text->s, sizeof(text->s), format, ap);
	va_end(ap);
	n = strlen(text->s);
	snprintf(text->s + n, sizeof(text->s) - n, ": %s", strerror(error));
	errno = error;
	return VGPU_ESYS;
}
