#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Includes point one way: common <- protocol, transport <- icd-vgpu, hostd,
# vgpuctl, run.  protocol and transport meet in link only.

. "$(dirname "$0")/lib.sh"

allowed() {
	case $1 in
	common/*) echo common ;;
	protocol/*) echo common protocol ;;
	transport/link[._]*) echo common protocol transport ;;
	transport/*) echo common transport ;;
	*) echo common protocol transport "${1%%/*}" ;;
	esac
}

includes() {
	sed -n 's/^[ \t]*#[ \t]*include[ \t]*"\([^"]*\)".*/\1/p' "$1"
}

for file in $(files $code -- '*.c' '*.h'); do
	for header in $(includes "$file"); do
		case $header in
		*/*) ;;
		*)
			offend "$file: \"$header\": expected a path from the root"
			continue ;;
		esac
		case " $(allowed "$file") " in
		*" ${header%%/*} "*) ;;
		*) offend "$file: may not include $header" ;;
		esac
	done
done
for file in $(files examples -- '*.c' '*.h'); do
	[ -z "$(includes "$file")" ] ||
	    offend "$file: an example includes nothing of vgpu"
done
finish
