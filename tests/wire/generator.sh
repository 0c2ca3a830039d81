#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The generator makes of a small description what tests/golden holds, and says
# of each wrong one where it is wrong.  By hand: sh tests/wire/generator.sh.

set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/../golden"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=

generate() {
	${AWK:-awk} -f ../../protocol/gen.awk \
	    -f ../../protocol/gen_calls.awk -v out="$1" "$2"
}

for target in messages_h messages_c info_h info_c extensions_h extensions_c \
    icd_h icd_c host_h host_c calls_mdoc extensions_mdoc lock; do
	generate "$target" small.def >"$out/$target"
	diff -u "small.$target" "$out/$target" || failed=1
done

for def in error-*.def; do
	if generate lock "$def" >"$out/stdout" 2>"$out/stderr"; then
		echo "$def: accepted"
		failed=1
	fi
	[ ! -s "$out/stdout" ] || { echo "$def: wrote something"; failed=1; }
	diff -u "${def%.def}.expected" "$out/stderr" || failed=1
done

if generate nonsense small.def >"$out/stdout" 2>"$out/stderr" ||
    [ "$(cat "$out/stderr")" != 'gen.awk: no such target: nonsense' ]; then
	echo "an unknown target: $(cat "$out/stderr")"
	failed=1
fi
[ -z "$failed" ]
