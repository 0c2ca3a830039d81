#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Every keyword of the daemon's configuration is in its manual, which names no
# others.

. "$(dirname "$0")/lib.sh"

page=man/vgpu-hostd.conf.5
[ -f $page ] || {
	offend "$page: not there"
	finish
}
keywords=$(sed -nE \
    's/^	\{ (NULL|"[a-z-]+"), "([a-z-]+)", CONF_.*/\2/p' hostd/conf_table.c | sort -u)
[ -n "$keywords" ] || offend "hostd/conf_table.c: no keywords found"
for word in $keywords; do
	grep -qE "^\.It (Ic|Cm) $word( |\$)" $page || offend "$page: no .It Ic $word"
done
for word in $(sed -nE 's/^\.It (Ic|Cm) ([a-z-]+).*/\2/p' $page); do
	echo "$keywords" | grep -qx -- "$word" ||
	    offend "$page: $word is no keyword"
done
finish
