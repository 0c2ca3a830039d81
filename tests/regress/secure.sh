#!/bin/sh
# SPDX-License-Identifier: ISC
#
# A program that runs with more rights than its caller has is told by no
# variable of the caller's which host to trust.
. "$(dirname "$0")/lib.sh"
secure=$top_builddir/tests/regress/secure
requires "$secure"
[ "$(id -u)" = 0 ] || skip "needs to be root, to give a file away"

public_folder
# As the other user reads them, too.
cp "$secure" "$vgpu_icd" "$public/"
library=$public/$(basename "$vgpu_icd")
through_vgpu "$public/secure" "$library" >out || fail "$(cat out)"
grep -qx 'secure 0, code 0, platforms 1' out || fail "$(cat out)"

chown 65534 "$public/secure"
chmod 4755 "$public/secure"
VGPU_TRACE=calls through_vgpu "$public/secure" "$library" >out 2>err ||
    fail "$(cat out)"
grep -q 'secure 1' out || skip "no set-user-id programs in $public"
grep -qx 'secure 1, code -1001, platforms 0' out || fail "$(cat out)"
[ ! -s err ] || fail "told the caller: $(cat err)"
