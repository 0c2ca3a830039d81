# SPDX-License-Identifier: ISC
#
# lib.sh - for the checks on the tree itself: which files are ours, and how a
# check ends.  Each check prints every offender, one line each, and fails when
# there was one.  By hand: sh tests/tree/NAME.sh, from the top.

set -eu
LC_ALL=C
export LC_ALL
here=$(cd "$(dirname "$0")" && pwd)
srcdir=$(cd "$here/../.." && pwd)
builddir=${top_builddir:-$srcdir}
builddir=$(cd "$builddir" && pwd)
cd "$srcdir"

code='common protocol transport icd-vgpu hostd run vgpuctl'
others='examples conformance tests fuzz bench man tools m4'
found=

# Source files below the given folders that match the patterns after "--";
# nothing generated, no build folder.
files() {
	dirs=
	while [ "$1" != -- ]; do
		[ -d "$1" ] && dirs="$dirs $1"
		shift
	done
	shift
	names=
	for pattern in "$@"; do
		names="$names -o -name $pattern"
	done
	set -f
	# shellcheck disable=SC2086
	find $dirs \( -name '.?*' -o -name Makefile.in -o -name Makefile \
	    -o -path 'm4/l*.m4' -o -path protocol/messages.? -o -path protocol/info.? \
	    -o -path icd-vgpu/calls.? -o -path hostd/calls.? \) -prune -o \
	    -type f \( ${names# -o } \) -print | sort
	set +f
}

offend() {
	echo "$*"
	found=1
}

finish() {
	[ -z "$found" ] || exit 1
	exit 0
}
