#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Messages and waits of fixed sequences of calls, exactly.
. "$(dirname "$0")/lib.sh"
scenario=$top_builddir/tests/regress/scenario
steady=$top_builddir/tests/regress/steady
requires "$scenario" clinfo

# counter NAME FILE: one number of the line of statistics.
counter() {
	sed -n "s/^vgpu: stats.* $1 \([0-9]*\).*/\1/p" "$2"
}

# expect COUNTER WHAT NUMBER
expect() {
	got=$(counter "$1" stats)
	[ "$got" = "$3" ] || fail "$2: $1 $got, expected $3"
}

# count_launches NUMBER [VIEW]
count_launches() {
	pocl_only
	VGPU_TRACE=stats "$vgpu_run" -t "${VGPU_TRANSPORT:-tls}" \
	    --vendors "$pocl" --view "${2:-physical}" -- \
	    "$scenario" launches "$1" >out 2>stats ||
	    fail "launches $1: exit status $?"
	[ "$(cat out)" = "sum $(($1 * ($1 + 1) / 2))" ] ||
	    fail "launches $1: $(cat out)"
}

# hello, build, finish, read: whatever the number of launches.  What lies in
# memory that client and host both have is read without the host.
waits=4
[ "${VGPU_TRANSPORT-}" != local ] || waits=3
count_launches 10
expect waits "10 launches" $waits
few=$(counter sent stats) few_bytes=$(counter bytes-sent stats)
few_answers=$(counter received stats)
count_launches 1000
expect waits "1000 launches" $waits
# One message a launch, and nothing comes back for it.
expect sent "1000 launches" $((few + 990))
expect received "1000 launches" "$few_answers"
# A header of two slots of 8 bytes; queue, kernel, dimensions; offsets (1), two
# sizes (2 each), wait list (1), event (1), arguments (1), and one of them, of
# four bytes (3): 16 slots.
expect bytes-sent "1000 launches" $((few_bytes + 990 * 128))

# Where the pool chooses, among one device or two, the same are sent.
all=$(counter sent stats) all_bytes=$(counter bytes-sent stats)
for view in class single; do
	for devices in "pthread" "pthread pthread"; do
		what="1000 launches, $view of $devices"
		export POCL_DEVICES="$devices"
		count_launches 1000 $view
		expect waits "$what" $waits
		expect sent "$what" "$all"
		expect received "$what" "$few_answers"
		expect bytes-sent "$what" "$all_bytes"
	done
done
unset POCL_DEVICES

# count_bulk KIND: bytes sent, received, and copied on their way, for 3 MiB more
# than 1, there and back.
count_bulk() {
	for mib in 1 4; do
		VGPU_TRACE=stats through_vgpu "$scenario" "$1" $mib >out \
		    2>stats || fail "$1 $mib: exit status $?"
		[ "$(cat out)" = same ] || fail "$1 $mib: $(cat out)"
		eval "sent_$mib=$(counter bytes-sent stats)" \
		    "received_$mib=$(counter bytes-received stats)" \
		    "out_$mib=$(counter copied-out stats)" \
		    "in_$mib=$(counter copied-in stats)"
	done
	# shellcheck disable=SC2154
	echo "$((sent_4 - sent_1)) $((received_4 - received_1))" \
	    "$((out_4 - out_1)) $((in_4 - in_1))"
}

# A message of 40 bytes for each MiB and all that it holds, or of 48 and the
# eight bytes that it repeats.  No bytes cross a socket of one machine.
if [ "${VGPU_TRANSPORT-}" != local ]; then
	each=$((3 * (40 + (1 << 20))))
	got=$(count_bulk noise)
	# From the program's memory and into it: only what is before is copied.
	[ "$got" = "$each $each 120 0" ] || fail "3 MiB of noise: $got bytes"
	got=$(count_bulk zeros)
	[ "$got" = "144 144 144 0" ] || fail "3 MiB of zeros: $got bytes"
fi

# What a program repeats allocates nothing in the client, in the thread that
# calls.  (Sanitizers have allocators of their own, and count for themselves.)
steady_status=0
through_vgpu "$steady" >out 2>err || steady_status=$?
if [ $steady_status -ne 77 ]; then
	[ $steady_status -eq 0 ] || fail "steady: $steady_status: $(cat out err)"
	for name in launches events finishes hops waits writes; do
		grep -qx "$name 0" out ||
		    fail "allocations in 100 operations: $(cat out)"
	done
fi

# The same line in a file, at its end.
echo first >trace
VGPU_TRACE=stats VGPU_TRACE_FILE=$tmp/trace through_vgpu "$scenario" \
    launches 10 >out 2>err || fail "launches with a trace file: $?"
[ ! -s err ] || fail "a trace file, and on the standard error: $(cat err)"
[ "$(sed -n 1p trace) $(counter waits trace)" = "first $waits" ] ||
    fail "trace file: $(cat trace)"

VGPU_TRACE=stats through_vgpu clinfo >out 2>stats || fail "clinfo"
[ "$(counter waits stats)" -le 3 ] ||
    fail "clinfo waits $(counter waits stats) times"
