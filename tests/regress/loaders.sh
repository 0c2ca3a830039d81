#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Handles work in a second loader of the process, which never enumerated; the
# dispatch table has no empty entry.
. "$(dirname "$0")/lib.sh"
loaders=$top_builddir/tests/regress/loaders
requires "$loaders"

library=$(ldd "$loaders" | sed -n 's/.*libOpenCL.so.1 => \([^ ]*\).*/\1/p')
requires "$library"
cp "$library" other.so
through_vgpu "$loaders" "$tmp/other.so" >out ||
    fail "exit status $?: $(cat out)"
grep -qx 'read 4711' out || fail "$(cat out)"
