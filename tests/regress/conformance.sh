#!/bin/sh
# SPDX-License-Identifier: ISC
#
# conformance/run: our own programs through vgpu as natively, on PoCL; what it
# says where something differs, and what it refuses.
. "$(dirname "$0")/lib.sh"
conformance=$top_builddir/conformance
requires "$conformance/contents" "$conformance/calls/calls" \
    "$conformance/traps/traps"
pocl_only
run=$top_srcdir/conformance/run
export top_builddir

# What all calls do through vgpu is the business of calls.sh; natively many
# hang.
sh "$run" --vendors "$pocl" --out "$tmp/out" \
    --only '^(contents|ondevice|programs|trap|clGet|clCreate)' calls >log 2>&1 ||
    fail "calls: $(cat log)"
passed=$(sed -n '$s/^\([0-9]*\) passed, 0 failed, [0-9]* skipped$/\1/p' log)
[ "${passed:-0}" -gt 3500 ] || fail "calls: $(tail -n 1 log)"

# A program that tells where it runs: a difference, which is found, may be
# expected, and has to occur then.
mkdir programs
cat >programs/contents <<'END'
#!/bin/sh
echo "same: 1"
echo "where: ${VGPU_HOST:+far }away"
END
chmod +x programs/contents
cp -r "$top_srcdir/conformance" copy
sed -i "s|programs=.*|programs=$tmp/programs|" copy/lib.sh
own() {
	expect_status "$1" sh copy/run --vendors "$pocl" --out "$tmp/out" \
	    --only '^contents' calls >log 2>&1
}
own 1
grep -q '^FAIL calls pocl contents where natively' log ||
    fail "no difference found: $(cat log)"
echo 'calls pocl contents where: far away // on purpose' >>copy/differences
own 0
echo 'calls pocl contents same: 0 // none' >>copy/differences
own 1
grep -q 'contents same expected difference "0" did not' log ||
    fail "a difference that does not occur: $(cat log)"

refuses() {
	expect_status 2 sh "$run" --vendors "$pocl" "$@" 2>log
	[ "$(wc -l <log)" = 1 ] || fail "$*: $(cat log)"
}
refuses --view wide calls
refuses --transport smoke
refuses --delay soon
refuses dance
refuses --vendors "$tmp/nowhere" calls
