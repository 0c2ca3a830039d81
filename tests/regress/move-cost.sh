#!/bin/sh
# SPDX-License-Identifier: ISC
#
# A context that has moved costs no message and no byte more than one that has
# not, whatever the number of rounds that it computes afterwards.
. "$(dirname "$0")/lib.sh"
rounds=$top_builddir/tests/regress/rounds
requires "$rounds" "$vgpuctl"
pocl_only
export POCL_DEVICES='pthread pthread'
PARTS=3
export PARTS here rounds vgpuctl

# In vgpu-run: before each part but the first the context moves, if it is to.
cat >driver <<'END'
set -eu
. "$here/moves.sh"
n=$1 moves=$2
VGPU_TRACE=stats "$rounds" "$n" "$PARTS" gate >out 2>stats &
has_moved() {
	"$vgpuctl" explain 1 >explained
	[ "$(grep -c ' a context has left: .* moved to ' explained)" = $part ]
}
part=0
while [ $part -lt "$PARTS" ]; do
	until_so grep -qs "^part $part$" out
	if [ $part -gt 0 ] && [ "$moves" = yes ]; then
		from=$(on)
		"$vgpuctl" drain "$from" >drained
		until_so has_moved
		"$vgpuctl" undrain "$from"
	fi
	: >"gate.$part"
	part=$((part + 1))
done
wait
END

counter() {
	sed -n "s/^vgpu: stats.* $1 \([0-9]*\).*/\1/p" stats
}

# counted ROUNDS MOVES: run it, and print what it cost.
counted() {
	rm -f gate.* out
	timeout -k 10 300 "$vgpu_run" -t "$transport" --vendors "$pocl" \
	    sh driver "$1" "$2" >log 2>&1 ||
	    fail "$transport $*: exit status $?: $(cat log out)"
	grep -q '^right$' out || fail "$transport $*: $(cat out)"
	# For the read and clFinish of each round, hello, the build and the first
	# write; less where an answer was there before it was waited for.
	[ "$(counter waits)" -le $((2 * (PARTS * $1 + 1) + 3)) ] ||
	    fail "$transport $*: $(counter waits) waits"
	for what in sent received bytes-sent bytes-received; do
		printf '%s %s ' $what "$(counter $what)"
	done
}

for transport in tls local; do
	for n in 10 100; do
		stayed=$(counted $n no)
		moved=$(counted $n yes)
		echo "$transport $n: $stayed" >&2
		[ "$moved" = "$stayed" ] ||
		    fail "$transport, $n rounds: $moved, without moves $stayed"
	done
done
