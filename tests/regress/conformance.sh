#!/bin/sh
# SPDX-License-Identifier: ISC
#
# conformance/run: our own programs through vgpu as natively, on PoCL; what it
# says where something differs, and what it refuses.
. "$(dirname "$0")/lib.sh"
requires "$top_builddir/conformance/contents"
pocl_only
run=$top_srcdir/conformance/run
export top_builddir

sh "$run" --vendors "$pocl" --out "$tmp/out" calls >log 2>&1 ||
    fail "calls: $(cat log)"
passed=$(sed -n '$s/^\([0-9]*\) passed, 0 failed, [0-9]* skipped$/\1/p' log)
[ "${passed:-0}" -gt 700 ] || fail "calls: $(tail -n 1 log)"

# The same without its list of differences: each is found.
cp -r "$top_srcdir/conformance" copy
sed -i '/^calls pocl codes /d' copy/differences
expect_status 1 sh copy/run --vendors "$pocl" --out "$tmp/out" \
    --only '^codes' calls >log 2>&1
grep -q '^FAIL calls pocl codes clGetDeviceIDs, no such type natively' log ||
    fail "no difference found: $(cat log)"
# And one that does not occur.
cp "$top_srcdir/conformance/differences" copy/differences
echo 'calls pocl codes clFinish, none: 0 // none' >>copy/differences
expect_status 1 sh copy/run --vendors "$pocl" --out "$tmp/out" \
    --only '^codes' calls >log 2>&1
grep -q 'codes clFinish, none expected difference "0" did not' log ||
    fail "a difference that does not occur: $(cat log)"

refuses() {
	expect_status 2 sh "$run" --vendors "$pocl" "$@" 2>log
	[ "$(wc -l <log)" = 1 ] || fail "$*: $(cat log)"
}
refuses --view single calls
refuses --transport smoke
refuses --delay soon
refuses dance
refuses --vendors "$tmp/nowhere" calls
