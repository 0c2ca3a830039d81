#!/bin/sh
# SPDX-License-Identifier: ISC
#
# VGPU_TRACE=summary: what each kind of call cost, and that it adds up.
. "$(dirname "$0")/lib.sh"
scenario=$top_builddir/tests/regress/scenario
requires "$scenario"

VGPU_TRACE=summary,stats through_vgpu "$scenario" launches 100 >out 2>err ||
    fail "launches: exit status $?"
[ "$(cat out)" = "sum 5050" ] || fail "launches: $(cat out)"

# value COLUMN CALL: of the table; waited, waits, time, calls, messages, out, in
value() {
	awk -v column="$1" -v call="$2" '
	    $1 " " $2 == "vgpu: summary" && $10 == call { print $(column + 2) }' \
	    err
}

# shows CALL CALLS MESSAGES WAITS
shows() {
	got="$(value 4 "$1") $(value 5 "$1") $(value 2 "$1")"
	[ "$got" = "$2 $3 $4" ] ||
	    fail "$1: calls, messages, waits are $got, not $2 $3 $4: $(cat err)"
}

shows clEnqueueNDRangeKernel 100 100 0
shows clSetKernelArg 101 0 0
shows clFinish 1 1 1
shows clBuildProgram 1 1 1
shows clCreateBuffer 1 1 0
# See counters.sh; the first one has the buffer, too: four slots.
[ "$(value 6 clEnqueueNDRangeKernel)" -eq $((100 * 128 + 4 * 8)) ] ||
    fail "bytes of launches: $(value 6 clEnqueueNDRangeKernel)"

# The rows add up to the last one, and that to the connection's own counters,
# but for the hello, which comes before.
awk '$1 " " $2 != "vgpu: summary" || $3 !~ /^[0-9]/ { next }
    $10 == "all" { for (i = 3; i < 10; i++) all[i] = $i; next }
    { for (i = 3; i < 10; i++) sum[i] += $i
      if (seen++ && $3 > last) { print "not sorted: " $0; exit 1 }
      last = $3 }
    END { for (i = 3; i < 10; i++)
	if (sum[i] - all[i] > 0.1 || all[i] - sum[i] > 0.1) {
	    print "column " i ": " sum[i] ", not " all[i]; exit 1 } }' err ||
    fail "the table does not add up: $(cat err)"
stat() {
	sed -n "s/^vgpu: stats.* $1 \([0-9]*\).*/\1/p" err
}
for pair in waits:2 sent:5; do
	[ $(($(value "${pair#*:}" all) + 1)) -eq "$(stat "${pair%:*}")" ] ||
	    fail "${pair%:*}: $(value "${pair#*:}" all) and $(stat "${pair%:*}")"
done

# Who does not ask sees nothing.
through_vgpu "$scenario" launches 1 >out 2>err || fail "launches 1: $?"
[ ! -s err ] || fail "something was printed: $(cat err)"
