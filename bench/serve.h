/* SPDX-License-Identifier: ISC */
/*
 * serve - a process that stays, and runs the benchmarks it is asked for.
 *
 * So one contender is loaded and warm while others are measured, and all
 * can be measured in turn.  A question is a line on a Unix socket, the
 * answer the lines of reply.h and a last one with a dot.
 */
#ifndef BENCH_SERVE_H
#define BENCH_SERVE_H

/*
 * Answer questions at that path until asked to "quit"; an exit status.
 * answer gets a question, and says its replies by itself.
 */
int serve(const char *path, void (*answer)(char *question));

/*
 * Ask, and copy the answer to the standard output.  1 when it was an error
 * or had no end, 2 when nobody is there.
 */
int serve_ask(const char *path, const char *question);

#endif
