#!/bin/sh
# SPDX-License-Identifier: ISC
#
# After all kinds of commands, memory objects hold through vgpu what they hold
# natively.
. "$(dirname "$0")/lib.sh"
contents=$top_builddir/conformance/contents
requires "$contents"

same contents "$contents"
[ $native_status = 0 ] || fail "exit status $native_status natively"
[ "$(wc -l <contents.native)" -gt 400 ] ||
    fail "only $(wc -l <contents.native) steps"
