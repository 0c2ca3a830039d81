#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Who polls is told, though nothing of the library reads for long waits of
# others meanwhile.
. "$(dirname "$0")/lib.sh"
polling=$top_builddir/tests/regress/polling
requires "$polling"

through_vgpu timeout 300 "$polling" >out || fail "exit status $?: $(cat out)"
[ "$(cat out)" = 'status 0' ] || fail "$(cat out)"
