#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Nothing is marked as to be done later.

. "$(dirname "$0")/lib.sh"

words='TO''DO|FIX''ME|XX''X'
for file in $(files $code $others doc -- '*.[ch]' '*.sh' '*.py' '*.awk' \
    '*.def' '*.m4' '*.map' '*.am' '*.in' '*.conf' '*.[1-8]' '*.md' try check \
    packages) configure.ac Makefile.am README HACKING.md NEWS.md; do
	[ -f "$file" ] || continue
	lines=$(grep -nwE "$words" "$file" | sed "s|^|$file:|") || :
	[ -z "$lines" ] || offend "$lines"
done
finish
