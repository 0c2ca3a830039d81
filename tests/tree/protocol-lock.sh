#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The protocol only grows: what protocol.lock says of each message still holds,
# and what is new is locked by the commit that brings it.

. "$(dirname "$0")/lib.sh"

now=$(mktemp)
trap 'rm -f "$now"' EXIT
${AWK:-awk} -f protocol/gen.awk -f protocol/gen_calls.awk -v out=lock \
    protocol/opencl.def protocol/session.def >"$now"
changed=$(grep -vxFf "$now" protocol/protocol.lock) || :
[ -z "$changed" ] || offend "locked, but changed or gone:
$changed"
new=$(grep -vxFf protocol/protocol.lock "$now") || :
[ -z "$new" ] || offend "not in protocol.lock, append:
$new"
finish
