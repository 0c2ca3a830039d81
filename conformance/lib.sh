# SPDX-License-Identifier: ISC
#
# lib.sh - what conformance/run and its suites share.
#
# A suite is sourced once a vendor.  It runs programs with `natively` and
# `through_vgpu`, writes what each gave as lines "NAME<tab>RESULT" into files,
# and hands two such files to `compare`.  Outputs are kept in $kept.

# What was built; without a build folder, vgpu as it is installed.
find_vgpu() {
	top_srcdir=$(cd "$here/.." && pwd)
	top_builddir=${top_builddir:-$top_srcdir/build}
	if [ -x "$top_builddir/vgpu-run" ]; then
		top_builddir=$(cd "$top_builddir" && pwd)
		vgpu_run=$top_builddir/vgpu-run
		: "${out:=$top_builddir/conformance/results}"
		: "${POCL_CACHE_DIR=$top_builddir/cache/pocl}"
		export POCL_CACHE_DIR
		mkdir -p "$POCL_CACHE_DIR"
	elif vgpu_run=$(command -v vgpu-run); then
		: "${out:=$PWD/vgpu-conformance}"
	else
		die "no vgpu-run in $top_builddir or PATH"
	fi
	programs=$top_builddir/conformance
}

set_up() {
	find_vgpu
	tmp=$(mktemp -d "${TMPDIR:-/tmp}/vgpu-conformance.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	trap 'exit 130' HUP INT TERM
	mkdir -p "$out" "$tmp/vendors"
	out=$(cd "$out" && pwd)
	behind=
	if [ "$delay" != 0 ]; then
		[ -x "$programs/delay" ] || die "--delay: no $programs/delay"
		behind="$programs/delay $delay"
	fi
	case ${APPS_PY+set} in
	set) ;;
	*) [ ! -x "$top_builddir/venv/bin/python3" ] ||
	    export APPS_PY="$top_builddir/venv/bin/python3" ;;
	esac
	split_vendors
	unset VGPU_HOST VGPU_TRACE OCL_ICD_VENDORS OCL_ICD_FILENAMES
	unset OPENCL_VENDOR_PATH OPENCL_LAYERS
	: >"$tmp/all"
}

# Each vendor gets a folder of its own: what one vendor's library gives is
# compared with what that vendor's devices give through vgpu.
split_vendors() {
	if [ -n "$vendors" ]; then
		set -- "$vendors"/*.icd
	else
		set -- /etc/OpenCL/vendors/pocl.icd
	fi
	[ -e "$1" ] || die "no vendor: $1 is not there"
	for icd in "$@"; do
		name=$(basename "$icd" .icd)
		[ "$name" = vgpu ] && continue
		mkdir "$tmp/vendors/$name"
		cp "$icd" "$tmp/vendors/$name/"
	done
}

vendor_names() {
	ls "$tmp/vendors"
}

# A vendor's turn with a suite begins.
begin() {
	kept=$out/$vendor-$transport
	[ "$delay" = 0 ] || kept=$kept-delay-$delay
	kept=$kept/$suite
	rm -rf "$kept"
	mkdir -p "$kept"
	: >"$kept/results"
	limit=600
	began=$(date +%s)
	cd "$tmp"
}

# in_home NAME COMMAND...: nothing of the user's is read or written, and
# nothing of another run.
in_home() {
	private=$tmp/home/$1
	shift
	mkdir -p "$private"
	HOME=$private XDG_CACHE_HOME=$private/.cache \
	    XDG_CONFIG_HOME=$private/.config \
	    XDG_DATA_HOME=$private/.local/share XDG_RUNTIME_DIR=$private \
	    TMPDIR=$private "$@" </dev/null
}

# natively COMMAND...: on the vendor's library, whichever loader finds it.
natively() {
	OCL_ICD_VENDORS=$tmp/vendors/$vendor \
	    OPENCL_VENDOR_PATH=$tmp/vendors/$vendor \
	    in_home "native-$vendor" timeout -k 10 $limit "$@"
}

# through_vgpu COMMAND...: on the same device, served by a private daemon.
through_vgpu() {
	# shellcheck disable=SC2086
	in_home "vgpu-$vendor" timeout -k 10 $limit "$vgpu_run" \
	    -t "$transport" --vendors "$tmp/vendors/$vendor" \
	    ${view:+--view "$view"} -- $behind "$@"
}

# wanted NAME: whether --only lets it through.
wanted() {
	printf '%s\n' "$1" | grep -qE -- "$only"
}

# lines PREFIX: from lines "WHAT: VALUE", or any lines, results with PREFIX in
# their names.
lines() {
	awk -v prefix="$1" '{
		name = $0
		value = "yes"
		if (match($0, /.*: /)) {
			name = substr($0, 1, RLENGTH - 2)
			value = substr($0, RLENGTH + 1)
		}
		sub(/^ +/, "", name)
		print prefix " " name "\t" value
	}' | numbered
}

# numbered: results whose names are unique; what comes again has a number.
numbered() {
	awk -F '\t' '{
		print $1 (seen[$1]++ ? " (" seen[$1] ")" : "") "\t" $2
	}'
}

# compare NATIVE VGPU [AWK-VARIABLE=VALUE...]: two files of results; see
# compare.awk for the variables.  Says what failed and keeps all.
compare() {
	natively=$1 vgpu=$2
	shift 2
	awk -F '\t' -v suite="$suite" -v vendor="$vendor" \
	    -v transport="$transport" -v only="$only" \
	    -f "$here/compare.awk" "$@" "$here/differences" "$natively" \
	    "$vgpu" >"$tmp/compared"
	cat "$tmp/compared" >>"$kept/results"
	sed -n "s/^fail	/FAIL $suite $vendor /p" "$tmp/compared" | tr '\t' ' '
}

# result pass|fail|skip NAME TEXT: one that no comparison gives.
result() {
	verdict=$1 name=$2
	shift 2
	printf '%s\t%s\t%s\n' "$verdict" "$name" "$*" >>"$kept/results"
	[ "$verdict" != fail ] || echo "FAIL $suite $vendor $name: $*"
}

# skip TEXT: the suite can't run here.
skip() {
	result skip "$suite" "$1"
	echo "skipped: $suite $vendor: $1"
}

# count FILE: its results in a line.
count() {
	awk -F '\t' '{ n[$1]++ } END {
		printf "%d passed, %d failed, %d skipped\n", n["pass"],
		    n["fail"], n["skip"]
	}' "$1"
}

# unknown: expected differences of this suite and vendor that no result has the
# name of.
unknown() {
	awk -F '\t' -v suite="$suite" -v vendor="$vendor" \
	    -v transport="$transport" '
	FILENAME == ARGV[1] { known[$2]; next }
	/^#/ || !index($0, " // ") { next }
	{
		split($0, word, " ")
		name = substr($0, 1, index($0, " // ") - 1)
		sub(/^[^ ]+ [^ ]+ /, "", name)
		match(name, /.*: /)
		name = substr(name, 1, RLENGTH - 2)
	}
	word[1] == suite && !(name in known) &&
	    (word[2] == vendor || word[2] == vendor "/" transport) {
		print name
	}' "$kept/results" "$here/differences"
}

finish() {
	if [ "$only" = . ] && ! grep -q "^skip	$suite	" "$kept/results"
	then
		unknown | while read -r name; do
			result fail "$name" "no such result, though a" \
			    "difference is expected"
		done
	fi
	cat "$kept/results" >>"$tmp/all"
	echo "$suite $vendor $transport: $(count "$kept/results") in" \
	    "$(($(date +%s) - began)) s"
}

tally() {
	count "$tmp/all"
	! grep -q '^fail' "$tmp/all"
}
