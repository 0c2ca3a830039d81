# SPDX-License-Identifier: ISC
#
# apps - scripts that use real programs.  Output and exit status must be as
# they are natively, and a program may wait for the host as often as
# conformance/waits says, and a tenth more.

apps=${VGPU_APPS:-$top_srcdir/../shared/apps}
limit=${APPS_TIMEOUT:-900}

# The folder's scripts but those that are suites of their own, and variants
# that use a CPU as the GPU that programs insist on.
app_names() {
	for script in "$apps"/*.sh; do
		name=$(basename "$script" .sh)
		case $name in
		common | install | run-all | piglit | pyopencl-tests) ;;
		gegl | x264) echo "$name $name-gpu" ;;
		*) echo "$name" ;;
		esac
	done
}

# A layer between the program and the loader, natively and through vgpu.
layer() {
	[ -e layer.so ] || cc -O2 -w -fPIC -shared -o layer.so \
	    "$apps/clasgpu-layer.c" || die "clasgpu-layer.c"
	echo "$tmp/layer.so"
}

# command_of NAME: set $run to what runs it.
command_of() {
	run="sh $apps/$1.sh"
	case $1 in
	gegl-gpu)
		run="env APPS_GEGL=gpu OPENCL_LAYERS=$(layer) sh $apps/gegl.sh" ;;
	x264-gpu)
		run="env OPENCL_LAYERS=$(layer) sh $apps/x264.sh" ;;
	esac
}

# comparable NAME HOW: from an output, what is to be equal.  Two native runs of
# x264 with OpenCL give two streams; clinfo.sed has a reason for each line.
# pyFAI leaves out its sorting tests where the platform is called PoCL's; through
# vgpu they run, and pass.
comparable() {
	case $1-$2 in
	x264-gpu-*) sed '/^[0-9a-f]\{32\} /d' ;;
	pyfai-natively)
		sed 's/^SKIPPED: Known buggy configuration$/PASSED a sort/' |
		    sort ;;
	pyfai-through-vgpu)
		if [ "$vendor" = pocl ]; then
			sed 's/^PASSED ::TestOclSort::.*/PASSED a sort/' | sort
		else
			cat
		fi ;;
	clinfo-natively)
		sed -E -f "$here/clinfo.sed" | if [ "$transport" = tls ]; then
			sed -E -f "$here/clinfo-tls.sed"
		else
			cat
		fi ;;
	*) cat ;;
	esac
}

# waited FILE: waits of all processes that left statistics there, without
# the one that each of them has for its hello.
waited() {
	awk '/ stats waits / { n += $4 - 1 } END { print n + 0 }' "$1"
}

check_waits() {
	target=$(awk -v name="$1" '$1 == name { print $2 }' "$here/waits")
	[ -n "$target" ] || return 0
	got=$(waited "$kept/$1.stats")
	text="$got, target $target"
	if [ $((got * 10)) -le $((target * 11)) ]; then
		result pass "waits of $1" "$text"
	else
		result fail "waits of $1" "$text"
	fi
}

app() {
	command_of "$1"
	code=0
	# shellcheck disable=SC2086
	natively $run >"$kept/$1.native" 2>"$kept/$1.native.err" || code=$?
	printf '%s\texit status %s\n' "$1" $code >native
	native_code=$code code=0
	: >"$kept/$1.stats"
	# shellcheck disable=SC2086
	VGPU_TRACE=stats VGPU_TRACE_FILE=$kept/$1.stats \
	    through_vgpu $run >"$kept/$1.vgpu" 2>"$kept/$1.vgpu.err" || code=$?
	comparable "$1" natively <"$kept/$1.native" >a
	comparable "$1" through-vgpu <"$kept/$1.vgpu" >b
	text="exit status $code"
	[ $native_code = 77 ] || cmp -s a b || text="$text, another output"
	printf '%s\t%s\n' "$1" "$text" >vgpu
	compare native vgpu good='^exit status 0$' skips='^exit status 77$'
	[ $native_code = 77 ] || diff -u a b >"$kept/$1.diff" ||
	    head -n 40 "$kept/$1.diff"
	[ $code != 0 ] || check_waits "$1"
}

if [ -d "$apps" ]; then
	for name in $(app_names); do
		! wanted "$name" || app "$name"
	done
else
	skip "no programs in $apps"
fi
