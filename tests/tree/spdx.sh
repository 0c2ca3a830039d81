#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Every file that can hold a comment says its licence in its first lines.

. "$(dirname "$0")/lib.sh"

for file in $(files $code $others .ci -- '*.[ch]' '*.sh' '*.py' '*.awk' \
    '*.def' '*.m4' '*.map' '*.am' '*.in' '*.conf' '*.sed' '*.[1-8]' 'try' 'check' \
    'packages' 'run') configure.ac Makefile.am; do
	head -n 3 "$file" | grep -q 'SPDX-License-Identifier: ISC' ||
	    offend "$file: no SPDX-License-Identifier: ISC in lines 1 to 3"
done
finish
