#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Each of a vendor's calls fails once with each code that its specification
# allows: a program gets that code, or never hears of it, and goes on; and so
# does a neighbour's session.  replay/test-faults does more of that, without a
# client.  FAULTS=REGEX chooses calls.
. "$(dirname "$0")/lib.sh"
faults=$top_builddir/tests/regress/faults
codes=$top_srcdir/tests/fakecl/codes
requires "$fakecl" "$faults"

public_folder
cp "$fakecl" "$public/libfakecl.so"
chmod 755 "$public/libfakecl.so"
mkdir vendors
echo "$public/libfakecl.so" >vendors/fake.icd

# play CALL CODE AFTER: two clients of one daemon, each of whose sessions has the
# fault.  What waited for a failed command fails with -14, a user event that
# has failed can't be set (-59), what was not built has no kernels (-45, -46), and
# what a build may not return is shown as -6.
play() {
	FAKECL="devices 1 gpu; fail $1 $2 after $3" timeout -k 5 60 \
	    "$vgpu_run" --vendors vendors sh -c '"$0" >one & "$0" >two; a=$?
	    wait $! && exit $a' "$faults" 2>log ||
	    fail "$*: exit status $?: $(cat one two log)"
	! sed 's/.* //' one two | grep -vxe "$2" -e -14 -e -59 -e -45 -e -46 \
	    -e -6 >other ||
	    fail "$*: other codes: $(cat one two)"
}
# Not those of probes, without which there is no device.
grep -v '^#' "$codes" |
    grep -vE '^cl(IcdGet|GetPlatform|GetDevice)' |
    grep -E "${FAULTS-.}" >chosen
after=0
while read -r call list; do
	for code in $list; do
		play "$call" "$code" "$after" </dev/null
		after=$(((after + 1) % 3))
	done
done <chosen
