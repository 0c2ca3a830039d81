#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Each call that takes arguments has its file of wrong ones in
# conformance/calls, and that file is built.

. "$(dirname "$0")/lib.sh"

calls=conformance/calls
for call in $(awk '$1 == "call" { name = $2 }
    name != "" && $1 ~ /^(in|app|query|events|errcode)$/ {
	print name
	name = ""
    }' protocol/opencl.def); do
	if [ ! -f $calls/$call.c ]; then
		offend "$call: no $calls/$call.c"
	elif ! grep -qE "^[[:space:]]calls/$call\.c( |$)" $calls/files.am; then
		offend "$call: not in $calls/files.am"
	fi
done
for file in $calls/cl*.c; do
	call=$(basename "$file" .c)
	grep -q "^call $call " protocol/opencl.def ||
	    offend "$file: no such call in protocol/opencl.def"
done
finish
