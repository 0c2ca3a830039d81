/* SPDX-License-Identifier: ISC */
/*
 * Whole sessions, played with a clock of their own against all that decides:
 * offer, ledger, usage and history.  Devices are not as fast as they say.
 */
#include "hostd/estimate.h"

#include <CL/cl.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "hostd/history.h"
#include "tests/unit/fixture-load.h"

#define DEVICES_MAX 6
#define JOBS_MAX 200
#define TENANTS 4
#define CLASSES 3
#define SECOND 1e9

static struct conf conf = { .max_sessions = 10000, .build_cache = 1 };
static struct conf_tenant tenant;

/* The world as it is; speeds in work a second. */
static struct world {
	struct pool *pool;
	struct ledger *ledger;
	struct history *history;
	unsigned devices, jobs;
	double speed[DEVICES_MAX];
	double work[TENANTS][CLASSES];	/* of one launch */
	unsigned launches[TENANTS][CLASSES];
	double needs[TENANTS];		/* bytes */
	struct job {
		unsigned tenant, device, session;
		unsigned launches[CLASSES];
		double at, begin, end;	/* seconds */
		bool over;
	} job[JOBS_MAX];
	double until[DEVICES_MAX];
} w;

static void
add_device(unsigned i, unsigned units, uint64_t memory)
{
	struct infoset info, platform;
	char name[16];

	snprintf(name, sizeof(name), "Card %u", i);
	infoset_init(&info);
	infoset_init(&platform);
	infoset_put_u64(&info, CL_DEVICE_TYPE, CL_DEVICE_TYPE_GPU);
	infoset_put_text(&info, CL_DEVICE_NAME, name);
	infoset_put_u32(&info, CL_DEVICE_MAX_COMPUTE_UNITS, units);
	infoset_put_u32(&info, CL_DEVICE_MAX_CLOCK_FREQUENCY, 1000);
	infoset_put_u64(&info, CL_DEVICE_GLOBAL_MEM_SIZE, memory);
	assert_int_equal(pool_add_device(w.pool, 0, 0, i, &info, &platform),
	    VGPU_OK);
	infoset_fini(&info);
}

/* What devices say is off by up to three times either way. */
static void
make_world(unsigned devices, unsigned fewest, unsigned shortest,
    unsigned longest)
{
	unsigned i, c, v;

	memset(&w, 0, sizeof(w));
	w.pool = pool_new();
	w.ledger = ledger_new();
	w.history = history_new();
	conf.placement = &place_policies[0];
	assert_int_equal(pool_add_vendor(w.pool, "/v/one.icd", NULL, &v),
	    VGPU_OK);
	w.devices = devices;
	for (i = 0; i < devices; i++) {
		w.speed[i] = (double)draw(1000, 9000);
		add_device(i, 1 + (unsigned)(w.speed[i] *
		    (double)draw(33, 300) / 100 / 1000), 1000);
	}
	pool_finish(w.pool);
	for (i = 0; i < TENANTS; i++)
		for (c = 0; c < CLASSES; c++) {
			w.work[i][c] = (double)draw(shortest, longest);
			w.launches[i][c] = (unsigned)draw(fewest, 20);
		}
}

static void
end_world(void)
{
	pool_free(w.pool);
	ledger_free(w.ledger);
	history_free(w.history);
}

static void
name_of(unsigned tenant_number, char name[16])
{
	snprintf(name, 16, "tenant%u", tenant_number);
}

static double
work_of(const struct job *j)
{
	double work = 0;
	unsigned c;

	for (c = 0; c < CLASSES; c++)
		work += w.work[j->tenant][c] * j->launches[c];
	return work;
}

/* ---- a session ------------------------------------------------------------- */

static uint64_t
key_of(const struct job *j, unsigned c)
{
	return (1 + j->tenant * CLASSES + c) * 0x9e3779b97f4a7c15u;
}

static uint64_t
speed_of(const void *arg, unsigned device)
{
	(void)arg;
	return pool_speed(pool_find(w.pool, device));
}

/* The session would write that itself; here both are one process. */
static struct usage *
page_of(const struct job *j)
{
	return (struct usage *)(uintptr_t)ledger_usage(w.ledger, j->session);
}

static void
begin_session(struct job *j, unsigned number)
{
	const struct offer offer = { w.pool, w.ledger, &conf, &tenant, number,
		w.history };
	unsigned order[POOL_DEVICES_MAX];
	char name[16], reason[PLACE_REASON_MAX];
	struct err_text text;
	struct usage *u;
	int fd;

	name_of(j->tenant, name);
	j->session = number;
	assert_int_equal(ledger_enter(w.ledger, &conf, &tenant, number, name,
	    &text), VGPU_OK);
	assert_int_equal(usage_new(&u, &fd, &text), VGPU_OK);
	close(fd);
	history_teach(w.history, name, u);
	ledger_set_usage(w.ledger, number, u);
	assert_int_equal(offer_order(&offer, order, reason), w.devices);
	j->device = order[0];
	ledger_use(w.ledger, number, j->device, 1);
	usage_add_memory(u, j->device, (int64_t)w.needs[j->tenant]);
}

static void
end_session(struct job *j)
{
	const struct history_speeds speeds = { speed_of, NULL };
	struct usage_slot *s;
	char name[16];
	unsigned c, i;

	for (c = 0; c < CLASSES; c++) {
		s = usage_class(page_of(j), key_of(j, c), j->device);
		for (i = 0; i < j->launches[c]; i++)
			usage_slot_launched(s);
		usage_slot_set(s, (uint64_t)(w.work[j->tenant][c] /
		    w.speed[j->device] * SECOND));
	}
	name_of(j->tenant, name);
	history_learn(w.history, name, page_of(j), &speeds);
	ledger_leave(w.ledger, j->session);
	j->over = true;
}

/* ---- the clock ------------------------------------------------------------- */

/* Sessions that have ended by then are learned from; others have got on. */
static void
go_on(unsigned jobs, double now)
{
	struct job *j;
	double done;

	for (j = w.job; j < w.job + jobs; j++) {
		if (j->over)
			continue;
		if (j->end <= now) {
			end_session(j);
			continue;
		}
		done = now > j->begin ? (now - j->begin) * SECOND : 0;
		done -= (double)usage_busy(page_of(j), j->device);
		if (done > 0)
			usage_add_busy(page_of(j), j->device, (uint64_t)done);
	}
}

/* A device runs one session after the other. */
static void
run_job(struct job *j, unsigned number)
{
	begin_session(j, number);
	j->begin = w.until[j->device] > j->at ? w.until[j->device] : j->at;
	j->end = j->begin + work_of(j) / w.speed[j->device];
	w.until[j->device] = j->end;
}

static void
draw_job(struct job *j, double at)
{
	unsigned c;

	memset(j, 0, sizeof(*j));
	j->at = at;
	j->tenant = (unsigned)draw(0, TENANTS - 1);
	for (c = 0; c < CLASSES; c++)
		j->launches[c] = (unsigned)((double)w.launches[j->tenant][c] *
		    (double)draw(80, 120) / 100 + 0.5);
}

/* Play so many jobs, that come somewhat faster than they can be done. */
static double
play(unsigned jobs, bool at_once)
{
	static unsigned sessions;
	double total = 0, now = 0, last = 0;
	unsigned i;

	memset(w.until, 0, sizeof(w.until));
	for (i = 0; i < w.devices; i++)
		total += w.speed[i];
	for (i = 0; i < jobs; i++) {
		draw_job(&w.job[i], now);
		go_on(i, now);
		run_job(&w.job[i], ++sessions);
		if (!at_once && draw(0, 2) > 0)
			now += work_of(&w.job[i]) / total *
			    (double)draw(0, 100) / 100;
		if (w.job[i].end > last)
			last = w.job[i].end;
	}
	go_on(jobs, 1e18);
	assert_int_equal(ledger_count(w.ledger, NULL), 0);
	return last;
}

/* The jobs that were played last, as they came. */
static const struct load *
played(unsigned jobs)
{
	static struct load l;
	unsigned i;

	l.devices = w.devices;
	l.jobs = jobs;
	for (i = 0; i < w.devices; i++)
		l.speed[i] = w.speed[i];
	for (i = 0; i < jobs; i++) {
		l.work[i] = work_of(&w.job[i]);
		l.at[i] = w.job[i].at;
	}
	return &l;
}

/* ---- what is promised ------------------------------------------------------ */

/* Short and long programs, of which each tenant has its own. */
static void
learned_speeds_are_within_a_tenth_of_the_best_assignment(void **state)
{
	double best = 0, sum = 0, first = 0, first_best = 0, end;
	unsigned i;

	(void)state;
	draw_from(20261130);
	for (i = 0; i < 80; i++) {
		make_world((unsigned)draw(2, DEVICES_MAX), 1, 10, 2000);
		first += play(100, false);
		first_best += load_bound(played(100));
		play(100, false);
		end = play(JOBS_MAX, false);
		assert_true(end >= load_bound(played(JOBS_MAX)));
		best += load_bound(played(JOBS_MAX));
		sum += end;
		end_world();
	}
	assert_true(sum <= 1.1 * best);
	/* while it learned, and began with what devices say */
	assert_true(first > 1.1 * first_best);
}

static void
twelve_programs_are_within_a_tenth_of_the_best_assignment(void **state)
{
	double best = 0, sum = 0;
	unsigned i, k;

	(void)state;
	draw_from(12);
	for (i = 0; i < 100; i++) {
		make_world(3, 10, 1000, 1500);
		for (k = 0; k < 4; k++)
			play(30, false);
		sum += play(12, true);
		best += load_best(played(12));
		end_world();
	}
	assert_true(sum >= best);
	assert_true(sum <= 1.1 * best);
}

/* Each of the tenants' programs but one fits on the first device alone. */
static void
programs_go_where_their_memory_fits(void **state)
{
	unsigned i, k, large = 0;

	(void)state;
	draw_from(99);
	for (i = 0; i < 40; i++) {
		make_world(3, 10, 1000, 1500);
		w.needs[0] = 900;
		for (k = 0; k < 3; k++)
			play(40, false);
		/* One at a time: there is always one device that has it. */
		for (k = 0; k < 40; k++) {
			play(2, true);
			large += w.job[0].tenant == 0 &&
			    w.job[1].tenant == 0;
			assert_true(w.job[0].tenant != 0 ||
			    w.job[1].tenant != 0 ||
			    w.job[0].device != w.job[1].device);
		}
		end_world();
	}
	assert_true(large > 40);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    learned_speeds_are_within_a_tenth_of_the_best_assignment),
		cmocka_unit_test(
		    twelve_programs_are_within_a_tenth_of_the_best_assignment),
		cmocka_unit_test(programs_go_where_their_memory_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
