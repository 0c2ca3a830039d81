#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Builds that are answered by what an earlier client of the tenant has left:
# nothing that a program can see differs, and whatever the build depends on
# makes it another.
. "$(dirname "$0")/lib.sh"
builds=$top_builddir/tests/regress/builds
requires "$builds"
pocl_only
kept=$tmp/.cache/vgpu/tenants

mkdir include
echo '#define VALUE 1' >include/value.h
cat >value.cl <<'END'
#include "value.h"
#ifdef ADD
#define SUM (VALUE + ADD)
#else
#define SUM VALUE
#endif
#warning a line for the log
kernel void value(global int *to) { *to = SUM; }
kernel __attribute__((reqd_work_group_size(2, 1, 1)))
void other(global int *a, float b, local int *c) { *a = (int)b + *c; }
END

# entries: how many builds are kept.
entries() {
	find "$kept" -path '*/builds/*' -type f 2>/dev/null | wc -l
}

# build OUT [OPTION]...: build in a daemon of its own, which ends when BINARIES
# of them were made; the log to OUT.log.
build() {
	out=$1
	shift
	"$vgpu_run" -v -v ${CONF:+-c "$CONF"} -t "${VGPU_TRANSPORT:-tls}" \
	    --vendors "$pocl" -- sh -c '"$1" value.cl "$2" || exit
		for i in $(seq 1000); do
			[ $(grep -c "its binary is there" "$3") -ge "$4" ] &&
			    break
			sleep 0.05
		done' - "$builds" "$*" "$out.log" "${BINARIES:-0}" \
	    >"$out" 2>"$out.log" || fail "build $out: $(cat "$out.log")"
}

# reused N FILE: so many builds were answered.
reused() {
	got=$(grep -c "build: an entry was reused" "$2.log" || :)
	[ "$got" = "$1" ] || fail "$2: $got builds reused, expected $1"
}

# Where there is no binary yet, the vendor builds behind the reply.
build early -I include
build early2 -I include
reused 0 early
reused 2 early2
cmp early early2 || fail "without a binary: $(diff early early2)"
rm -r "$kept"

# Each run builds twice: with its options, and then with -DOTHER.
BINARIES=2 build first -I include
reused 0 first
grep -q "^value 1$" first || fail "first: $(cat first)"
grep -q "a line for the log" first || fail "no log: $(cat first)"
build second -I include
reused 2 second
cmp first second || fail "a build that was reused: $(diff first second)"

# With names of arguments, where the program asks for them.
BINARIES=1 build named -I include -cl-kernel-arg-info
reused 1 named
build again -I include -cl-kernel-arg-info
reused 2 again
cmp named again || fail "with names: $(diff named again)"
grep -q "^argument int\* to$" again || fail "no names: $(cat again)"

# Other options; other contents of an included file; and back.
build option -I include -DADD=5
reused 1 option
grep -q "^value 6$" option || fail "option: $(cat option)"
echo '#define VALUE 2' >include/value.h
build changed -I include
reused 0 changed
grep -q "^value 2$" changed || fail "changed: $(cat changed)"
echo '#define VALUE 1' >include/value.h
build back -I include
reused 2 back
cmp first back || fail "back: $(diff first back)"

# Another setting of the vendor's.
POCL_KERNEL_CACHE=1 build setting -I include
reused 0 setting

# Another tenant: users of this machine are known by another name.
VGPU_TRANSPORT=local build tenant -I include
reused 0 tenant

# Damaged entries are built again, and replaced.
for file in "$kept"/vgpu-run/builds/*; do
	printf x | dd of="$file" bs=1 seek=200 conv=notrunc 2>/dev/null
done
build damaged -I include
reused 0 damaged
cmp first damaged || fail "damaged: $(diff first damaged)"

# Off: nothing is kept, and what is there is not looked at.
rm -r "$kept"
echo "build-cache = 0" >off.conf
CONF=off.conf build off -I include
CONF=off.conf build off -I include
reused 0 off
[ "$(entries)" = 0 ] || fail "builds are kept though that is off"
cmp first off || fail "off: $(diff first off)"
