/* SPDX-License-Identifier: ISC */
#include "icd-vgpu/shipment.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/vec.h"
#include "icd-vgpu/client.h"

/* Hashes of what the session has got, sorted. */
static struct {
	pthread_mutex_t lock;
	uint64_t session;
	uint8_t (*hash)[SHA256_LEN];
	size_t n;
} sent = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Where a hash is, or belongs. */
static bool
sent_find(const uint8_t *hash, size_t *at)
{
	size_t low = 0, high = sent.n, middle;
	int order;

	while (low < high) {
		middle = low + (high - low) / 2;
		order = memcmp(sent.hash[middle], hash, SHA256_LEN);
		if (order == 0) {
			*at = middle;
			return true;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	*at = low;
	return false;
}

static void
sent_add(const uint8_t *hash)
{
	void *more;
	size_t at;

	if (sent_find(hash, &at) ||
	    (more = vec_more(sent.hash, sent.n, SHA256_LEN)) == NULL)
		return; /* without memory it is sent once more */
	sent.hash = more;
	memmove(sent.hash[at + 1], sent.hash[at],
	    (sent.n - at) * SHA256_LEN);
	memcpy(sent.hash[at], hash, SHA256_LEN);
	sent.n++;
}

static void
sent_clear(void)
{
	free(sent.hash);
	sent.hash = NULL;
	sent.n = 0;
}

void
shipment_forget(void)
{
	pthread_mutex_lock(&sent.lock);
	sent_clear();
	pthread_mutex_unlock(&sent.lock);
}

void
shipment_fork(enum fork_phase phase)
{
	/* What the parent sent is forgotten with its session, later. */
	fork_mutex(&sent.lock, phase);
}

/* Elements for the message; source 0 is the program, the others its headers. */
static enum vgpu_err
make_spans(struct shipment *s)
{
	const struct includes *in = &s->includes;
	bool rewritten = false;
	size_t i;

	s->folder = calloc(in->n_folder + 1, sizeof(*s->folder));
	s->header = calloc(in->n_source + 1, sizeof(*s->header));
	s->file = calloc(in->n_file + 1, sizeof(*s->file));
	if (s->folder == NULL || s->header == NULL || s->file == NULL ||
	    s->manifest.failed)
		return VGPU_ENOMEM;
	for (i = 0; i < in->n_folder; i++)
		s->folder[i] = (struct span){ in->folder[i],
			strlen(in->folder[i]) };
	for (i = 1; i < in->n_source; i++) {
		s->header[i - 1] = (struct span){ in->source[i].text,
			in->source[i].len };
		rewritten |= in->source[i].text != NULL;
	}
	s->include_dirs = (struct span){ s->folder, in->n_folder };
	if (rewritten)
		s->header_sources = (struct span){ s->header,
			in->n_source - 1 };
	if (in->n_source > 0 && in->source[0].text != NULL)
		s->source = (struct span){ in->source[0].text,
			in->source[0].len };
	s->options_text = (struct span){ s->options.rest,
		strlen(s->options.rest) };
	return VGPU_OK;
}

/* Options that no shell would take go to the vendor as they are. */
static enum vgpu_err
take_options(struct options *o, const char *text)
{
	enum vgpu_err e = options_parse(o, text, NULL);

	if (e != VGPU_ECL)
		return e;
	memset(o, 0, sizeof(*o));
	o->rest = strdup(text);
	return o->rest != NULL ? VGPU_OK : VGPU_ENOMEM;
}

enum vgpu_err
shipment_init(struct shipment *s, const char *options,
    const struct include_source *source, size_t n, struct err_text *text)
{
	struct include_request request = { .source = source, .n_source = n,
		.options = &s->options };
	enum vgpu_err e;

	memset(s, 0, sizeof(*s));
	buf_init(&s->manifest);
	if ((e = take_options(&s->options, options)) != VGPU_OK)
		return e;
	if ((e = include_collect(&s->includes, &request, text)) != VGPU_OK) {
		options_fini(&s->options);
		return e;
	}
	s->used = true;
	if (s->includes.n_file > 0 || s->includes.n_make > 0)
		include_manifest(&s->includes, &s->manifest);
	s->manifest_bytes = (struct span){ buf_front(&s->manifest),
		buf_len(&s->manifest) };
	if ((e = make_spans(s)) != VGPU_OK)
		shipment_fini(s);
	return e;
}

void
shipment_fini(struct shipment *s)
{
	if (!s->used)
		return;
	include_fini(&s->includes);
	options_fini(&s->options);
	buf_fini(&s->manifest);
	free(s->folder);
	free(s->header);
	free(s->file);
	s->used = false;
}

void
shipment_begin(struct shipment *s)
{
	const struct client *client = client_current();
	const struct include_file *f;
	size_t i, at;

	pthread_mutex_lock(&sent.lock);
	if (client != NULL && sent.session != client->session) {
		sent_clear();
		sent.session = client->session;
	}
	s->files = (struct span){ s->file, 0 };
	for (i = 0; i < s->includes.n_file; i++) {
		f = &s->includes.file[i];
		if (!sent_find(f->hash, &at))
			s->file[s->files.n++] = (struct span){ f->data,
				f->len };
	}
}

void
shipment_sent(struct shipment *s, bool ok)
{
	size_t i;

	for (i = 0; ok && i < s->includes.n_file; i++)
		sent_add(s->includes.file[i].hash);
	pthread_mutex_unlock(&sent.lock);
}
