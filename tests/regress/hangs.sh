#!/bin/sh
# SPDX-License-Identifier: ISC
#
# A vendor's call that never returns holds up its own session and no other, and
# ends with its client, whatever it is.
. "$(dirname "$0")/lib.sh"
first=$top_builddir/tests/regress/first-device
requires "$fakecl" "$first"

public_folder
mkdir vendors
fakecl_vendor good 'devices 1 gpu' vendors
cat >inside.sh <<'END'
sessions_are() {
	n=0
	until [ "$(vgpuctl sessions | sed 1d | wc -l)" = "$1" ]; do
		n=$((n + 1))
		[ $n -lt 300 ] || { echo "$call: not $1 sessions" >&2; exit 1; }
		sleep 0.1
	done
}
VGPU_DEVICES=bad "$first" >out &
client=$!
sessions_are 1
VGPU_DEVICES=good "$first" >good || exit 1
[ "$(cat good)" = 'Fake 0 0' ] || exit 1
kill -0 $client 2>/dev/null && [ ! -s out ] || {
	echo "$call: did not hang: $(cat out)" >&2
	exit 1
}
kill -KILL $client
sessions_are 0
END
# Those of the loop and of a worker; what hangs when devices are looked for, or
# in a process with other vendors, is left out (vendors.sh).
for call in clCreateBuffer clBuildProgram clCreateKernel clSetKernelArg \
    clEnqueueNDRangeKernel clEnqueueReadBuffer clSetEventCallback clFlush; do
	fakecl_vendor bad "devices 1 gpu; hang $call" vendors
	call=$call first=$first timeout -k 5 100 "$vgpu_run" --vendors vendors \
	    sh inside.sh 2>log || fail "$(cat log)"
done
