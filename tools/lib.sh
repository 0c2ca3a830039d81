# SPDX-License-Identifier: ISC
#
# lib.sh - what tools/try and tools/check share: install what is missing,
# configure and build in build/.  Nothing but packages is touched outside the
# tree, and later runs do only what has changed.

set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
program=tools/$(basename "$0")
build=$top/build
jobs=$(nproc 2>/dev/null || echo 2)
LC_ALL=C
export LC_ALL
cd "$top"

die() {
	echo "$program: $*" >&2
	exit 1
}

# What programs would leave in the user's home or in /tmp stays in build/.
keep_in_tree() {
	mkdir -p "$build/tmp" "$build/cache" "$build/home"
	TMPDIR=$build/tmp
	XDG_CACHE_HOME=$build/cache
	XDG_CONFIG_HOME=$build/home/config
	XDG_DATA_HOME=$build/home/data
	POCL_CACHE_DIR=$build/cache/pocl
	PIP_CACHE_DIR=$build/cache/pip
	export TMPDIR XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME
	export POCL_CACHE_DIR PIP_CACHE_DIR
	unset OCL_ICD_VENDORS OCL_ICD_FILENAMES OPENCL_VENDOR_PATH
	unset VGPU_HOST VGPU_HOSTD VGPU_ICD
}

# step WHAT: say what happens now.
step() {
	printf '%s\n' "--- $*"
}

# quietly LOG COMMAND...: keep its output in build/LOG, and show the end of it
# when the command fails.
quietly() {
	log=$build/$1
	shift
	"$@" >"$log" 2>&1 </dev/null && return 0
	status=$?
	tail -n 40 "$log" >&2
	echo "$program: failed: $* (all of it: $log)" >&2
	return $status
}

# packages SECTION...: the names under these headings of tools/packages.
packages() {
	awk -v want=" $* " '
	{ sub(/#.*/, "") }
	/^\[/ { gsub(/[][ \t]/, ""); section = $0; next }
	NF && index(want, " " section " ") { print $1 }' "$top/tools/packages"
}

# Those of the given Debian packages that are not installed.
missing() {
	for package in "$@"; do
		state=$(dpkg-query -W -f '${db:Status-Status}' "$package" \
		    2>/dev/null) || state=
		[ "$state" = installed ] || echo "$package"
	done
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		env DEBIAN_FRONTEND=noninteractive "$@"
	else
		sudo env DEBIAN_FRONTEND=noninteractive "$@"
	fi
}

# install SECTION...: what is missing of these sections of tools/packages.
install() {
	wanted=$(packages "$@")
	command -v dpkg-query >/dev/null ||
	    die "not a Debian system; install what these Debian packages" \
	    "hold, then run ./configure and make:" $wanted
	lacking=$(missing $wanted)
	[ -n "$lacking" ] || return 0
	[ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
	    die "needs root or sudo to install:" $lacking
	step "installing" $lacking
	set -- -o DPkg::Lock::Timeout=900 -o Acquire::Retries=3 -q
	quietly apt-update.log as_root apt-get "$@" update || exit 1
	quietly apt-install.log as_root apt-get "$@" install -y \
	    --no-install-recommends $lacking || exit 1
}

# configured FOLDER OPTION...: bring a build folder up to date with configure;
# a second run with the same options does nothing.
configured() {
	folder=$1
	shift
	mkdir -p "$folder"
	if [ ! -x configure ] || [ -n "$(find configure.ac m4/vgpu.m4 \
	    -newer configure)" ]; then
		step "autoreconf"
		quietly autoreconf.log autoreconf -fi || exit 1
	fi
	[ ! -f config.status ] ||
	    die "this tree is configured in place; make distclean first"
	if [ ! -f "$folder/config.status" ] ||
	    [ "$*" != "$(cat "$folder/.options" 2>/dev/null)" ]; then
		step "configure${1+ $*}"
		# Objects do not depend on the options they were compiled with.
		[ ! -f "$folder/Makefile" ] ||
		    quietly clean.log make -C "$folder" clean || exit 1
		(cd "$folder" && quietly "configure-$(basename "$folder").log" \
		    "$top/configure" -q "$@") || exit 1
		echo "$*" >"$folder/.options"
	fi
}

# built FOLDER [TARGET]: make.
built() {
	step "make ${2-all} in ${1#"$top/"}"
	quietly "make-$(basename "$1").log" \
	    make -C "$1" -j"$jobs" ${2+"$2"} || exit 1
}
