#!/bin/sh
# SPDX-License-Identifier: ISC
#
# bench/run measures all that bench/targets has, each way, and says it in its
# three forms.  How long anything takes is not looked at.
. "$(dirname "$0")/lib.sh"
run=$top_srcdir/bench/run
requires "$top_builddir/bench/micro" "$run"
pocl_only

# refused TEXT OPTION...: one line, which says TEXT, and status 2.
refused() {
	text=$1
	shift
	expect_status 2 "$run" "$@" >out 2>err
	[ "$(wc -l <err) $(wc -c <out)" = "1 0" ] || fail "$*: $(cat out err)"
	grep -q -- "$text" err || fail "$*: $(cat err)"
}

refused 'no such option' --fast
refused 'expected a value' --only
refused 'expected a number' --rounds 0
refused 'no such benchmark' --only '^nothing$'
refused 'no folder' --peer "other=$tmp/nowhere"
refused 'no .icd file' --peer "other=$tmp"
refused 'expected NAME=VENDORS_DIR' --peer "$tmp"
refused 'there is a tls already' --peer "tls=$pocl"
refused 'expected one of: native tls local class' --contenders native,others
refused 'no such benchmark' --vendors "$pocl" --only '^between$'

# All but the real programs, each once.
benchmarks='^('$("$top_builddir/bench/micro" list | sed 's/ .*//' |
    tr '\n' '|')'rtt.*|stream.*|memcpy)$'
"$run" --vendors "$pocl" --rounds 1 --percent 1 --only "$benchmarks" \
    --json json --plot plot.svg --markdown md >table 2>err ||
    fail "exit status $?: $(cat err)"
[ ! -s err ] || fail "$(cat err)"
awk -f "$top_srcdir/tests/regress/json.awk" json || fail "json: $(cat json)"

# Each row has a value of each contender, and a verdict where it has a target.
grep -v '^#' "$top_srcdir/bench/targets" | grep -vE '^(app.*|between.*|)$' |
    while IFS='	' read -r row unit title floor tls local; do
	printf '%s native' "$row"
	for contender in tls local; do
		printf ' %s' $contender
		eval "target=\$$contender"
		[ "$target" = - ] || printf ' judged'
	done
	echo
done >expected
awk '/^    \{ "name"/ { printf "%s%s", separator, $3; separator = "\n" }
    /^        "[a-z]*": \{ "median": [0-9]/ { printf " %s", $1 }
    /"verdict": "(reached|missed)"/ { printf " judged" }
    END { print "" }' json | sed 's/[":,]//g' | awk '/ native/' >got
diff -u expected got >difference || fail "$(cat difference)"

[ "$(grep -c '| tls | / native' md) $(head -c 4 plot.svg)" = "1 <svg" ] ||
    fail "$(cat md plot.svg)"
grep -q '^null kernel + finish, p50  *us ' table || fail "$(cat table)"
grep -qE '^tls: [0-9]+ of [0-9]+ targets reached' table || fail "$(cat table)"

# A peer is measured as the others are; runs with the same samples add up.
for n in 1 2; do
	"$run" --vendors "$pocl" --peer "other=$pocl" --rounds 1 --percent 1 \
	    --contenders native,other --only '^null$' --samples samples \
	    --json json >table 2>err || fail "peer: $(cat err)"
done
[ "$(grep -c '^other	null.p50	[0-9.]*	us$' samples)" = 2 ] ||
    fail "samples: $(cat samples)"
grep -q '"other": { "median": .* "rounds": 2,' json || fail "json: $(cat json)"

# Where a pool chooses; the last line says what that takes.
"$run" --vendors "$pocl" --rounds 2 --percent 1 --contenders native,tls,class \
    --anew --only '^(null|query)$' >table 2>err || fail "class: $(cat err)"
grep -qE '^class to tls: [0-9.]+, geometric mean of 3 rows$' table ||
    fail "class: $(cat table)"

# What fails is said, once, and has no value; the rest has.
echo "$tmp/nothing.so" >broken.icd
mkdir broken
mv broken.icd broken
code=0
"$run" --vendors "$pocl" --peer "other=$tmp/broken" --rounds 2 --percent 1 \
    --contenders native,other --only '^null$' --json json >table 2>err ||
    code=$?
[ "$code $(wc -l <err) $(grep -c '"other"' json)" = "1 1 0" ] ||
    fail "a peer that isn't there: $code: $(cat err json)"
grep -q '"native": { "median": .* "rounds": 2,' json || fail "json: $(cat json)"

# From one vendor's device to another's, in one context of vgpu's.
[ -d "$intel_vendors" ] || exit 0
mkdir both
cp "$pocl"/*.icd "$intel_vendors"/*.icd both
"$run" --vendors both --rounds 1 --percent 1 --only '^between$' --json json \
    >table 2>err || fail "between: $(cat err)"
[ "$(grep -cE '"(tls|local)": { "median": [0-9]' json)" = 4 ] ||
    fail "between: $(cat json)"
