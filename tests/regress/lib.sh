# SPDX-License-Identifier: ISC
#
# lib.sh - for the regress tests: short scripts that run real programs from
# the loader to the device, as a user would.
#
#	. "$(dirname "$0")/lib.sh"
#	requires clinfo
#	same names clinfo -l
#
# Each script gets a folder of its own ($tmp, also its HOME and its current
# folder), which goes when the script ends, as do the processes it started
# with `background`.  A script ends with 0, with 77 where something it
# requires is missing (a failure with VGPU_NO_SKIP=1), or with `fail`.
# By hand: top_builddir=build sh tests/regress/NAME.sh

set -eu
LC_ALL=C
export LC_ALL
test_name=$(basename "$0" .sh)
here=$(cd "$(dirname "$0")" && pwd)
top_srcdir=$(cd "$here/../.." && pwd)
top_builddir=$(cd "${top_builddir:-$top_srcdir/build}" && pwd)
vgpu_run=$top_builddir/vgpu-run
vgpu_hostd=${VGPU_HOSTD:-$top_builddir/hostd/vgpu-hostd}
vgpu_icd=${VGPU_ICD:-$top_builddir/icd-vgpu/.libs/libvgpu-icd.so}
vgpuctl=$top_builddir/vgpuctl/vgpuctl
fakecl=$top_builddir/tests/fakecl/.libs/libfakecl.so
system_vendors=/etc/OpenCL/vendors
public=
intel_vendors=$top_builddir/vendors-intel
started=

tmp=$(mktemp -d "${TMPDIR:-/tmp}/vgpu-$test_name.XXXXXX")

clean_up() {
	status=$?
	trap - EXIT HUP INT TERM
	for pid in $started; do
		kill -KILL "$pid" 2>/dev/null || :
	done
	# shellcheck disable=SC2086
	[ -z "$started" ] || wait $started 2>/dev/null || :
	cd /
	rm -rf "$tmp" ${public:+"$public"}
	exit $status
}
trap clean_up EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Nothing of the user's is read or written; kernels that PoCL has compiled
# once are kept in the build tree.
: "${POCL_CACHE_DIR=$top_builddir/cache/pocl}"
HOME=$tmp XDG_CACHE_HOME=$tmp/.cache XDG_CONFIG_HOME=$tmp/.config
XDG_DATA_HOME=$tmp/.local/share XDG_RUNTIME_DIR=$tmp TMPDIR=$tmp
export POCL_CACHE_DIR HOME XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME
export XDG_RUNTIME_DIR TMPDIR
unset VGPU_HOST OCL_ICD_VENDORS OCL_ICD_FILENAMES OPENCL_VENDOR_PATH
mkdir -p "$POCL_CACHE_DIR"
cd "$tmp"

fail() {
	echo "$test_name: $*" >&2
	exit 1
}

skip() {
	echo "$test_name: skipped: $*" >&2
	[ -z "${VGPU_NO_SKIP-}" ] || exit 1
	exit 77
}

# requires WHAT...: a program in PATH, or a file where there is a slash.
requires() {
	for what in "$@"; do
		case $what in
		*/*) [ -e "$what" ] || skip "no $what" ;;
		*) command -v "$what" >/dev/null || skip "no $what" ;;
		esac
	done
}

# Seconds since the machine started, whatever the clock on the wall does.
uptime_s() {
	read -r seconds rest </proc/uptime
	echo "${seconds%.*}"
}

# wait_until SECONDS COMMAND...: until it succeeds, or fail.
wait_until() {
	deadline=$(($(uptime_s) + $1 + 1))
	seconds_allowed=$1
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$(uptime_s)" -lt $deadline ] ||
		    fail "not within $seconds_allowed s: $*"
		sleep 0.05
	done
}

# background COMMAND...: start it; $! is its process, which ends with the test.
background() {
	"$@" &
	started="$started $!"
}

# gone PID: true when there is no such process, or only its exit status.
gone() {
	case $(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null) in
	'' | Z | X) return 0 ;;
	esac
	return 1
}

# public_folder: make $public, which other users reach, too; the folders above
# the tree may be closed to them.
public_folder() {
	public=$(mktemp -d "/tmp/vgpu-$test_name.XXXXXX")
	chmod 711 "$public"
}

# fakecl_vendor NAME SCRIPT FOLDER: a vendor that plays the script, in a folder of
# vendors; the test has made $public.
fakecl_vendor() {
	cp "$fakecl" "$public/lib$1.so"
	echo "$2" >"$public/lib$1.fakecl"
	chmod 755 "$public/lib$1.so" "$public/lib$1.fakecl"
	echo "$public/lib$1.so" >"$3/$1.icd"
	chmod 644 "$3/$1.icd"
}

# expect_status N COMMAND...: run it; fail where its exit status is another.
expect_status() {
	expected=$1
	shift
	got=0
	"$@" || got=$?
	[ $got = "$expected" ] ||
	    fail "exit status $got, expected $expected: $*"
}

# pocl_only: make $pocl, a folder of vendors with PoCL alone.
pocl_only() {
	pocl=$tmp/.vendors-pocl
	[ ! -d "$pocl" ] || return 0
	requires $system_vendors/pocl.icd
	mkdir "$pocl"
	cp $system_vendors/pocl.icd "$pocl/"
}

# vgpu_alone: from here on OpenCL programs find vgpu, and no vendor beside it.
vgpu_alone() {
	mkdir loader
	echo "$vgpu_icd" >loader/vgpu.icd
	OCL_ICD_VENDORS=$tmp/loader OPENCL_VENDOR_PATH=$tmp/loader
	export OCL_ICD_VENDORS OPENCL_VENDOR_PATH
}

# natively COMMAND...: on PoCL without vgpu, whichever loader the command has.
natively() {
	pocl_only
	OCL_ICD_VENDORS=$pocl OPENCL_VENDOR_PATH=$pocl "$@"
}

# through_vgpu COMMAND...: the same device, served by a private daemon, over
# VGPU_TRANSPORT (tls).
through_vgpu() {
	pocl_only
	"$vgpu_run" -t "${VGPU_TRANSPORT:-tls}" --vendors "$pocl" -- "$@"
}

# same NAME COMMAND...: output and exit status natively and through vgpu must
# be equal; NAME says which comparison failed.  The standard error is shown,
# not compared.
same() {
	name=$1
	shift
	native_status=0 vgpu_status=0
	natively "$@" >"$tmp/$name.native" || native_status=$?
	through_vgpu "$@" >"$tmp/$name.vgpu" || vgpu_status=$?
	[ $native_status = $vgpu_status ] ||
	    fail "$name: exit status $vgpu_status, natively $native_status"
	cmp "$tmp/$name.native" "$tmp/$name.vgpu" || {
		diff -u "$tmp/$name.native" "$tmp/$name.vgpu" | head -n 60
		fail "$name: not as natively"
	}
	[ -s "$tmp/$name.native" ] || fail "$name: no output to compare"
}
