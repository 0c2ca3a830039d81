#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The manuals are clean for mandoc, and the file's name is the page's.

. "$(dirname "$0")/lib.sh"

command -v mandoc >/dev/null || {
	echo "mandoc: not found (Debian: mandoc)"
	[ -z "${VGPU_NO_SKIP-}" ] || exit 1
	exit 77
}
for page in $(files man -- '*.[1-8]') $(ls "$builddir"/man/*.[1-8] \
    2>/dev/null); do
	out=$(mandoc -T lint -W warning "$page") || offend "$out"
	name=${page##*/}
	title=$(sed -n 's/^\.Dt //p' "$page" | tr A-Z a-z)
	[ "$title" = "${name%.*} ${name##*.}" ] ||
	    offend "$page: .Dt $title: expected ${name%.*} ${name##*.}"
done
finish
