#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Between processes of one machine no body crosses the socket: what is sent,
# received and awaited for each of many megabytes, exactly.
. "$(dirname "$0")/lib.sh"
shared=$top_builddir/tests/regress/shared
requires "$shared"
pocl_only
VGPU_TRANSPORT=local

counter() {
	sed -n "s/^vgpu: stats.* $1 \([0-9]*\).*/\1/p" "$2"
}

# count WAY: by how much each counter grows from one repetition to five.
count() {
	for n in 1 5; do
		VGPU_TRACE=stats through_vgpu "$shared" "$1" $n >out 2>"stats.$n" ||
		    fail "$1 $n: exit status $?: $(cat out "stats.$n")"
		[ "$(cat out)" = right ] || fail "$1 $n: $(cat out)"
	done
	grown=
	for name in waits sent received bytes-sent bytes-received; do
		a=$(counter $name stats.1) b=$(counter $name stats.5)
		grown="$grown $name $((b - a))"
	done
}

# expect WAY COUNTERS: of four repetitions of 64 MiB.
expect() {
	count "$1"
	[ "$grown" = " $2" ] || fail "$1: $grown, expected $2"
}

through_vgpu "$shared" threads 24 >out 2>err ||
    fail "threads: exit status $?: $(cat out err)"

# Nothing at all, where the queue is idle.
nothing='waits 0 sent 0 received 0 bytes-sent 0 bytes-received 0'
expect write "$nothing"
expect read "$nothing"
expect map "$nothing"
# A kernel, a marker and the release of its event; the marker's end.
expect behind \
    'waits 4 sent 12 received 4 bytes-sent 864 bytes-received 160'
# Two kernels, finish, a read or write, and its window: open and closed.
expect later \
    'waits 4 sent 24 received 8 bytes-sent 1536 bytes-received 192'
expect ahead \
    'waits 4 sent 24 received 8 bytes-sent 1600 bytes-received 192'
# What the device has for itself is staged in shared memory: of the write its
# place comes back, of the read word that it is there.
expect image \
    'waits 8 sent 16 received 16 bytes-sent 1216 bytes-received 512'
# Made and released; its place comes back.
expect buffers 'waits 0 sent 8 received 4 bytes-sent 448 bytes-received 96'
