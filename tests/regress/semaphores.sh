#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Semaphores, which vgpu has for each vendor.
. "$(dirname "$0")/lib.sh"
program=$top_builddir/tests/regress/semaphores
requires "$program"

cat >expected <<'EOF'
payload 0
signal waits, wait waits
signal complete, wait complete, payload 0
again: payload 1
payload 0
signal waits, wait waits
signal complete, wait complete, payload 0
again: payload 1
payload 0
signal waits, wait waits
signal failed, wait failed, payload 0
no context: -34
no properties: -30
no type: -30
wrong type: -64
no queue: -36
no semaphores: -30
null semaphore: -1142
events without a list: -57
unknown query: -30
released: 0
EOF
through_vgpu "$program" >got || fail "exit status $?"
diff -u expected got
