#!/bin/sh
# SPDX-License-Identifier: ISC
#
# vgpu-run itself: what it adds to a command, and that nothing of it stays.
. "$(dirname "$0")/lib.sh"
scenario=$top_builddir/tests/regress/scenario
requires clinfo "$scenario" "$vgpu_run" "/proc/$$/task/$$/children"
pocl_only

# The command's words, output and exit status are its own.
through_vgpu printf '%s.' a 'b c' '' >out
[ "$(cat out)" = 'a.b c..' ] || fail "words: $(cat out)"
for status in 0 3 125; do
	expect_status $status through_vgpu sh -c "exit $status"
done
expect_status 143 through_vgpu sh -c 'kill -TERM $$'
expect_status 127 through_vgpu "$tmp/no such program" 2>err
grep -q '^vgpu-run: cannot run .*no such program: ' err || fail "$(cat err)"

# The one of a build tree runs what is in that tree, also if it was copied, and
# through a link.
mkdir -p copy/run bin
cp "$vgpu_run" copy/
cat >copy/run/vgpu-run <<'END'
#!/bin/sh
printf '%s\n' "$VGPU_HOSTD" "$VGPU_ICD" "${PATH%%:*}" "$@"
END
chmod +x copy/run/vgpu-run
ln -s ../copy/vgpu-run bin/
copy=$(cd copy && pwd -P)
printf '%s\n' "$copy/hostd/vgpu-hostd" "$copy/icd-vgpu/.libs/libvgpu-icd.so" \
    "$copy/vgpuctl" -t local 'a b' >expected
for name in copy/vgpu-run "$tmp/copy/vgpu-run" bin/vgpu-run; do
	env -u VGPU_HOSTD -u VGPU_ICD "$name" -t local 'a b' >out
	cmp -s expected out || fail "$name in a copied tree: $(cat out)"
done

# The daemon is there: its slowness on a busy machine is no reason to give up.
[ "$(through_vgpu printenv VGPU_TIMEOUT)" = 60000 ] || fail "impatient"
[ "$(VGPU_TIMEOUT=5 through_vgpu printenv VGPU_TIMEOUT)" = 5 ] ||
    fail "not the user's VGPU_TIMEOUT"

# What is wrong is said in one line.
# wrong STATUS PATTERN OPTION...
wrong() {
	expected=$1 pattern=$2
	shift 2
	got=0
	"$vgpu_run" "$@" true 2>err || got=$?
	[ $got = "$expected" ] || fail "exit status $got: $*: $(cat err)"
	grep -q "^vgpu-run: $pattern" err || fail "no \"$pattern\": $(cat err)"
	[ "$(wc -l <err)" = 1 ] || fail "more than one line: $(cat err)"
}
wrong 2 '--as "toaster": expected gpu, cpu or accelerator' --as toaster
wrong 2 '--view "wide": expected physical, class or single' --view wide
wrong 2 'transport "pigeon": expected tls or local' -t pigeon
wrong 125 '--vendors /nonexistent: ' --vendors /nonexistent
wrong 125 '.*/nonexistent: cannot be read: ' -c /nonexistent
echo 'listen = {}' >own.conf
echo 'max-session = 3' >>own.conf
wrong 125 '.*own.conf:2: unknown keyword "max-session"' -c own.conf

# CPU devices are shown as whatever is asked for.
for type in gpu cpu accelerator; do
	"$vgpu_run" --vendors "$pocl" --as $type clinfo --raw >out
	name=$(echo $type | tr a-z A-Z)
	grep -q "CL_DEVICE_TYPE  *CL_DEVICE_TYPE_$name\$" out ||
	    fail "--as $type: $(grep CL_DEVICE_TYPE out)"
done

# A start compiles nothing: it is quick also where no kernel is cached yet.
(
	POCL_CACHE_DIR=$tmp/kernels
	export POCL_CACHE_DIR
	mkdir kernels
	through_vgpu clinfo -l >out
	grep -q 'Device #0' out || fail "$(cat out)"
	[ -z "$(find kernels -name '*.bc')" ] || fail "compiled at its start"
	through_vgpu "$scenario" launches 1 >out
	[ -n "$(find kernels -name '*.bc')" ] || fail "where are kernels kept?"
)

# The cache of include files stays, and nothing else.
left=$(find "$tmp" -name 'vgpu-run-*')
[ -z "$left" ] || fail "left: $left"

# child NAME: the process of that name which the run has started.
child() {
	for pid in $(cat "/proc/$run/task/$run/children"); do
		[ "$(cat "/proc/$pid/comm")" != "$1" ] || echo "$pid"
	done
}
has_child() {
	[ -n "$(child "$1")" ]
}

# A run that is killed takes its daemon along; the next one cleans up.
background "$vgpu_run" --vendors "$pocl" -- sleep 100
run=$!
wait_until 20 has_child sleep
daemon=$(child vgpu-hostd)
started="$started $(child sleep)"
kill -KILL $run
wait_until 5 gone "$daemon"
[ -n "$(find "$tmp" -name 'vgpu-run-*')" ] || fail "where is its folder?"
through_vgpu true
left=$(find "$tmp" -name 'vgpu-run-*')
[ -z "$left" ] || fail "left by a killed run: $left"
