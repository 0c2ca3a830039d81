#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Each .c has a .h of its own, or of the module it continues (tls_bio.c and
# tls.h), and includes it first.  What calls.h declares, written by the
# generator, has its home there; a file with main needs none.

. "$(dirname "$0")/lib.sh"

first_include() {
	sed -n 's/^#include ["<]\([^">]*\)[">].*/\1/p' "$1" | head -n 1
}

for file in $(files $code -- '*.c'); do
	grep -q '^main(' "$file" && continue
	first=$(first_include "$file")
	base=${file%.c}
	case $first in
	"$base.h" | "${file%/*}/calls.h") ;;
	"${base%_*}.h" | "${base%_*}_private.h") ;;
	*) offend "$file: first include is ${first:-none}," \
	    "expected $base.h or the header of the module it continues" ;;
	esac
done
finish
