#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Wrong calls return through vgpu what they return natively, but for the
# differences that conformance/differences gives a reason for.
. "$(dirname "$0")/lib.sh"
codes=$top_builddir/conformance/codes
requires "$codes"

natively "$codes" >native || fail "codes: exit status $? natively"
through_vgpu "$codes" >vgpu || fail "codes: exit status $?"
sed -n 's|^\([^#].*: -*[0-9]*\) // .*|\1|p' \
    "$top_srcdir/conformance/differences" >expected
while read -r line; do
	row=${line%: *}
	grep -qxF "$line" vgpu || fail "expected \"$line\", not" \
	    "\"$(grep -F "$row: " vgpu)\""
	grep -vF "$row: " native >rest || :
	mv rest native
	grep -vF "$row: " vgpu >rest || :
	mv rest vgpu
done <expected
diff -u native vgpu || fail "other codes than natively"
[ "$(wc -l <vgpu)" -gt 50 ] || fail "only $(wc -l <vgpu) codes"
