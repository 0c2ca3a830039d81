/* SPDX-License-Identifier: ISC */
#include "tests/replay/host.h"

#include <event2/event.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/log.h"
#include "hostd/channel.h"
#include "hostd/pool.h"
#include "hostd/serve.h"
#include "hostd/vendor.h"
#include "tests/replay/scenario.h"
#include "transport/pair.h"

/* The sanitizers' own idea of a malloc that fails is to end the process. */
#define OPTIONS(name, text) \
	const char *name(void); \
	__attribute__((visibility("default"))) const char * \
	name(void) \
	{ \
		return text; \
	}
OPTIONS(__asan_default_options, "allocator_may_return_null=1")
OPTIONS(__tsan_default_options,
    "allocator_may_return_null=1:atexit_sleep_ms=0")

#define DEVICES 4	/* of one pool; the script has to have as many */

enum view_kind host_view = VIEW_PHYSICAL;
const char *host_names;
unsigned (*host_place)(const unsigned *, unsigned);
struct usage *host_usage;
int64_t host_step_ms;
static struct transport *served[1 + LANES];
static int parent_end = -1, session_end = -1;	/* of a channel */
static struct {
	const char *tenant, *folder;
	uint64_t bytes;
} builds = { "lab", "/", 0 };

void
keep_builds(const char *tenant, const char *folder, uint64_t bytes)
{
	builds.tenant = tenant;
	builds.folder = folder;
	builds.bytes = bytes;
}

/* ---- in the child -------------------------------------------------------- */

/* Enough of a device's properties for the serving part. */
static void
describe(const char *script, struct infoset *device, struct infoset *platform)
{
	const bool cpu = strstr(script, " cpu ") != NULL;
	const char *version = strstr(script, "version 1.2") != NULL ?
	    "OpenCL 1.2 fakecl" : "OpenCL 3.0 fakecl";

	infoset_init(device);
	infoset_put_u64(device, CL_DEVICE_TYPE, cpu ? CL_DEVICE_TYPE_CPU :
	    CL_DEVICE_TYPE_GPU);
	infoset_put_u32(device, CL_DEVICE_HOST_UNIFIED_MEMORY, cpu);
	infoset_put_text(device, CL_DEVICE_NAME, "Fake");
	infoset_put_text(device, CL_DEVICE_VENDOR, "fakecl");
	infoset_put_text(device, CL_DRIVER_VERSION, "1");
	infoset_put_text(device, CL_DEVICE_VERSION, version);
	infoset_put_u64(device, CL_DEVICE_MAX_PARAMETER_SIZE, 1024);
	infoset_init(platform);
	infoset_put_text(platform, CL_PLATFORM_VERSION, version);
}

static struct pool *
make_pool(const char *script)
{
	struct infoset device, platform;
	struct pool *p = pool_new();
	unsigned vendor, i;

	describe(script, &device, &platform);
	if (p == NULL || pool_add_vendor(p, FAKECL_LIBRARY, NULL, &vendor) !=
	    VGPU_OK)
		abort();
	for (i = 0; i < DEVICES; i++)
		if (pool_add_device(p, vendor, 0, i, &device, &platform) !=
		    VGPU_OK)
			abort();
	pool_finish(p);
	return p;
}

/* Lanes come from elsewhere in a session, and are there from the start here. */
static void
add_lanes(int fd, short what, void *arg)
{
	unsigned i;

	(void)fd;
	(void)what;
	(void)arg;
	for (i = 1; i <= LANES; i++)
		serve_add_lane(served[i]);
}

static void
on_parent(int fd, short what, void *arg)
{
	static struct channel_msg m;
	struct channel_move order;

	(void)what;
	(void)arg;
	while (channel_recv(fd, true, &m, NULL) == VGPU_OK) {
		if (m.type == CHANNEL_SHUT) {
			serve_shut(m.bytes);
			channel_send(fd, CHANNEL_READY, NULL, 0, -1, NULL);
		} else if (m.type == CHANNEL_MOVE) {
			memcpy(&order, m.bytes, sizeof(order));
			serve_move(&order);
		}
	}
}

static void
moved(const struct channel_moved *m)
{
	channel_send(session_end, CHANNEL_MOVED, m, sizeof(*m), -1, NULL);
}

static void
lost(unsigned index)
{
	const uint32_t device = index;

	channel_send(session_end, CHANNEL_LOST, &device, sizeof(device), -1,
	    NULL);
}

static void
open_log(void)
{
	int fd = STDERR_FILENO;

	if (getenv("REPLAY_LOG") == NULL)
		fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	log_open("host", fd, LOG_LEVEL_DEBUG);
}

static void __attribute__((noreturn))
serve(const char *script)
{
	static const struct timeval now = { 0, 0 };
	struct serve_start start = { .control = served[0], .session = 7,
		.tenant = builds.tenant, .state_dir = builds.folder,
		.build_cache = builds.bytes, .view = host_view,
		.names = host_names, .place = host_place, .moved = moved, .lost = lost,
		.step_ms = host_step_ms,
		.usage = host_usage };

	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL };
	size_t i;

	/* It is no test any more: what kills it is cmocka's in the parent. */
	for (i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		signal(faults[i], SIG_DFL);
	setenv("FAKECL", script, 1);
	open_log();
	vendor_init();
	if ((start.base = event_base_new()) == NULL)
		abort();
	start.pool = make_pool(script);
	event_base_once(start.base, -1, EV_TIMEOUT, add_lanes, NULL, &now);
	event_add(event_new(start.base, session_end, EV_READ | EV_PERSIST,
	    on_parent, NULL), NULL);
	_exit(serve_run(&start));
}

/* ---- in the test --------------------------------------------------------- */

void
host_spawn(struct host *h, const char *script, struct transport **ends,
    unsigned n)
{
	unsigned i;
	int pair[2];

	host_kill(h);
	for (i = 0; i < n; i++)
		assert_int_equal(pair_new(&ends[i], &served[i], "lab", NULL),
		    VGPU_OK);
	if (parent_end >= 0)
		close(parent_end);
	assert_int_equal(channel_pair(pair, NULL), VGPU_OK);
	parent_end = pair[0];
	session_end = pair[1];
	fflush(NULL);
	if ((h->pid = fork()) == 0) {
		for (i = 0; i < n; i++)
			ends[i]->ops->close(ends[i], false);
		serve(script);
	}
	assert_true(h->pid > 0);
	close(session_end);
	for (i = 0; i < n; i++)
		served[i]->ops->close(served[i], false);
}

int
host_wait(struct host *h, int64_t deadline)
{
	struct pollfd p = { .events = POLLIN };
	int status = 0;

	p.fd = (int)syscall(SYS_pidfd_open, h->pid, 0);
	assert_true(p.fd >= 0);
	if (poll(&p, 1, clock_poll_ms(deadline)) == 0)
		fail_msg("the host does not end");
	close(p.fd);
	assert_int_equal(waitpid(h->pid, &status, 0), h->pid);
	h->pid = 0;
	return status;
}

void
host_kill(struct host *h)
{
	if (h->pid == 0)
		return;
	kill(h->pid, SIGKILL);
	waitpid(h->pid, NULL, 0);
	h->pid = 0;
}

/* ---- as a parent --------------------------------------------------------- */

void
host_move(const struct channel_move *m)
{
	assert_int_equal(channel_send(parent_end, CHANNEL_MOVE, m, sizeof(*m),
	    -1, NULL), VGPU_OK);
}

static void
hear_channel(struct channel_msg *m, int64_t deadline)
{
	struct pollfd p = { .fd = parent_end, .events = POLLIN };

	if (poll(&p, 1, clock_poll_ms(deadline)) <= 0)
		fail_msg("the host says nothing to its parent");
	assert_int_equal(channel_recv(parent_end, false, m, NULL), VGPU_OK);
}

#define SHUT_MS 10000

void
host_shut(unsigned devices)
{
	static struct channel_msg m;
	uint8_t bits[POOL_DEVICES_MAX / 8] = { (uint8_t)devices };

	assert_int_equal(channel_send(parent_end, CHANNEL_SHUT, bits,
	    sizeof(bits), -1, NULL), VGPU_OK);
	hear_channel(&m, clock_after_ms(SHUT_MS));
	assert_int_equal(m.type, CHANNEL_READY);
}

void
host_moved(struct channel_moved *out, int64_t deadline)
{
	static struct channel_msg m;

	hear_channel(&m, deadline);
	assert_int_equal(m.type, CHANNEL_MOVED);
	memcpy(out, m.bytes, sizeof(*out));
}

unsigned
host_lost(int64_t deadline)
{
	static struct channel_msg m;

	hear_channel(&m, deadline);
	assert_int_equal(m.type, CHANNEL_LOST);
	return channel_u32(&m);
}
