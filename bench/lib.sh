# SPDX-License-Identifier: ISC
#
# lib.sh - what bench/run does: contenders, questions to them, the report.
#
# A contender has a process of bench/micro that stays (bench/serve.h), in
# $tmp/NAME.  Programs have one of their own, $tmp/NAME.apps: for them, what
# the device's compiler made is kept from one run to the next; what
# benchmarks build is new each time.

die() {
	echo "bench/run: $*" >&2
	exit 2
}

say() {
	echo "bench/run: $*" >&2
}

find_programs() {
	top_srcdir=$(cd "$here/.." && pwd)
	top_builddir=${top_builddir:-$top_srcdir/build}
	[ -d "$top_builddir" ] ||
	    die "no build folder $top_builddir: set top_builddir"
	top_builddir=$(cd "$top_builddir" && pwd)
	micro=$top_builddir/bench/micro floor=$top_builddir/bench/floor
	for program in "$micro" "$floor"; do
		[ -x "$program" ] || die "no $program: run make first"
	done
	[ ! -x "$top_builddir/venv/bin/python3" ] ||
	    APPS_PY=${APPS_PY-$top_builddir/venv/bin/python3}
	export APPS_PY
	vgpu_run=$top_builddir/vgpu-run
	[ -x "$vgpu_run" ] || vgpu_run=$(command -v vgpu-run) ||
	    die "no vgpu-run in $top_builddir or PATH"
}

# Lines "KIND NAME EVERY": all there is.
names() {
	"$floor" list | sed 's/^/floor /'
	"$micro" list | sed 's/^/micro /'
	sh "$here/apps.sh" list | sed 's/^/app app-/'
}

set_up() {
	find_programs
	tmp=$(mktemp -d "${TMPDIR:-/tmp}/vgpu-bench.XXXXXX")
	trap clean_up EXIT
	trap 'exit 130' HUP INT TERM
	: >"$tmp/failed"
	: "${samples:=$tmp/samples}"
	: >>"$samples"
	unset VGPU_HOST VGPU_TRACE OCL_ICD_VENDORS OCL_ICD_FILENAMES
	unset OPENCL_VENDOR_PATH OPENCL_LAYERS
	take_vendors
	take_contenders
	choose
	[ -s "$tmp/chosen" ] || die "--only $only: no such benchmark"
	about >"$tmp/meta"
	[ "$rounds" = 0 ] ||
	    sed -n '/^contender/!s/^/about	/p' "$tmp/meta" >>"$samples"
}

take_vendors() {
	mkdir "$tmp/vendors"
	if [ -n "$vendors" ]; then
		set -- "$vendors"/*.icd
	else
		set -- /etc/OpenCL/vendors/pocl.icd
	fi
	[ -e "$1" ] || die "no vendor: $1 is not there"
	cp "$@" "$tmp/vendors/"
	rm -f "$tmp/vendors/vgpu.icd"
}

# $all: the contenders in order; "$tmp/NAME.vendors" is a peer's folder.
take_contenders() {
	all="native tls local" others=class
	for peer in $peers; do
		name=${peer%%=*} folder=${peer#*=}
		case $peer in
		[a-z]*=?*) ;;
		*) die "--peer $peer: expected NAME=VENDORS_DIR" ;;
		esac
		case " $all $others floor " in
		*" $name "*) die "--peer $name: there is a $name already" ;;
		esac
		[ -d "$folder" ] || die "--peer $name: no folder $folder"
		set -- "$folder"/*.icd
		[ -e "$1" ] || die "--peer $name: no .icd file in $folder"
		ln -s "$(cd "$folder" && pwd)" "$tmp/$name.vendors"
		all="$all $name"
	done
	for name in $(echo "$contenders" | tr , ' '); do
		case " $all $others " in
		*" $name "*) ;;
		*) die "--contenders $name: expected one of: $all $others" ;;
		esac
	done
	[ -z "$contenders" ] || all=$(echo "$contenders" | tr , ' ')
}

# What is to be measured, and the floors that its formulas name.  A program
# that is not installed is said once.  There is no way between vendors where
# there is one.
choose() {
	set -- "$tmp"/vendors/*.icd
	names | while read -r kind name every; do
		case $kind in
		micro | app) echo "$name" | grep -qE -- "$only" || continue ;;
		esac
		[ "$name" != between ] || [ $# -gt 1 ] || continue
		if [ $kind = app ]; then
			[ -z "$quick" ] || [ "$every" = 1 ] || continue
			needed=$(sh "$here/apps.sh" needs "${name#app-}")
			command -v "$needed" >/dev/null || {
				say "$name: no $needed, left out"
				continue
			}
		fi
		echo "$kind $name $every"
	done >"$tmp/names"
	awk -F '\t' -v only="$only" 'FILENAME == ARGV[1] {
		split($0, word, " ")
		if (word[1] != "floor")
			chosen[word[2]] = 1
		next
	}
	/^#/ { next }
	{
		name = $1
		sub(/\..*/, "", name)
		if (name in chosen)
			formulas = formulas " " $4 " " $5 " " $6
	}
	function needed(name) {
		if (name ~ /asleep|-2$/)
			return 0
		sub(/-.*/, "", name)
		return index(formulas, name) || \
		    (name == "memcpy" && index(formulas, "stream"))
	}
	END {
		while ((getline < ARGV[1]) > 0) {
			split($0, word, " ")
			if (word[1] != "floor" || word[2] ~ only ||
			    needed(word[2]))
				print
		}
	}' "$tmp/names" "$here/targets" >"$tmp/chosen"
}

# in_turn N: the contenders, beginning with another one each time.
in_turn() {
	# shellcheck disable=SC2086
	set -- $1 $all
	skip=$(($1 % ($# - 1)))
	shift
	while [ $skip -gt 0 ]; do
		first=$1
		shift
		set -- "$@" "$first"
		skip=$((skip - 1))
	done
	echo "$@"
}

# start SERVER: the process of a contender, unless it is there.
start() {
	[ ! -f "$tmp/$1.pid" ] || return 0
	cache=$tmp/pocl
	[ "$1" = "$contender" ] || cache=$top_builddir/cache/bench
	mkdir -p "$cache"
	set -- "$1" "$micro" serve "$tmp/$1.socket"
	command_of_contender "$@" &
	echo $! >"$tmp/$1.pid"
	tries=0
	until [ -S "$tmp/$1.socket" ]; do
		tries=$((tries + 1))
		if gone $! || [ $tries -gt 600 ]; then
			tail -n 1 "$tmp/$1.log" >"$tmp/answer"
			return 1
		fi
		sleep 0.1
	done
}

# command_of_contender SERVER COMMAND...: become it.
command_of_contender() {
	exec </dev/null >"$tmp/$1.log" 2>&1
	shift
	POCL_CACHE_DIR=$cache
	export POCL_CACHE_DIR
	folder=$tmp/vendors
	case $contender in
	tls | local)
		exec "$vgpu_run" -t "$contender" --vendors "$folder" -- \
		    "$@" host ;;
	class)
		exec "$vgpu_run" --view class --vendors "$folder" -- \
		    "$@" host ;;
	native) ;;
	*) folder=$tmp/$contender.vendors ;;
	esac
	OCL_ICD_VENDORS=$folder OPENCL_VENDOR_PATH=$folder exec "$@"
}

# gone PID: no such process, or only its exit status.
gone() {
	case $(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null) in
	'' | Z | X) return 0 ;;
	esac
	return 1
}

stop() {
	pid=$(cat "$tmp/$1.pid")
	kill "$pid" 2>/dev/null || :
	tries=0
	until gone "$pid" || [ $tries -gt 200 ]; do
		tries=$((tries + 1))
		sleep 0.05
	done
	kill -KILL "$pid" 2>/dev/null || :
	rm -f "$tmp/$1.pid" "$tmp/$1.socket"
}

stop_all() {
	for file in "$tmp"/*.pid; do
		[ ! -f "$file" ] || stop "$(basename "$file" .pid)"
	done
}

clean_up() {
	status=$?
	trap - EXIT
	stop_all
	rm -rf "$tmp"
	exit $status
}

# record CONTENDER: lines "ROW VALUE UNIT" into the samples.
record() {
	sed -n "s/^\([^ ]*\) \([^ ]*\) \([^ ]*\)\$/$1	\1	\2	\3/p" \
	    "$tmp/answer" >>"$samples"
}

measure_floor() {
	if "$floor" run "$1" "$percent" >"$tmp/answer"; then
		record floor
	else
		say "floor: $1: $(tail -n 1 "$tmp/answer")"
	fi
}

# ask SERVER QUESTION: the answer in $tmp/answer.
ask() {
	: >"$tmp/answer"
	start "$1" || return 1
	timeout -k 5 "${BENCH_TIMEOUT:-300}" "$micro" ask \
	    "$tmp/$1.socket" "$2" >"$tmp/answer"
}

# measured CONTENDER COMMAND... NAME: do it, and say how long it took.
measured() {
	who=$1
	shift
	[ -n "$verbose" ] || {
		"$@"
		return
	}
	began=$(date +%s%N)
	"$@"
	say "round $((round + 1)) of $rounds: $who $name:" \
	    "$((($(date +%s%N) - began) / 1000000)) ms"
}

# The question for a benchmark or a program.
question() {
	case $1 in
	micro) echo "$2 $percent" ;;
	app) echo "time $2 sh $here/apps.sh run ${2#app-} $home" ;;
	esac
}

# measure CONTENDER KIND NAME.  What failed once is not tried again, and the
# contender is started anew.  A program runs once before it counts.
measure() {
	contender=$1 kind=$2 name=$3 server=$1
	[ ! -e "$tmp/failed-$1-$3" ] || return 0
	case $name-$contender in
	between-tls | between-local | between-class) ;;
	between-*) return 0 ;;	# only vgpu's contexts have several vendors
	esac
	home=$top_builddir/cache/bench/home-$1
	if [ "$kind" = app ]; then
		server=$1.apps
		if [ ! -e "$tmp/warm-$1-$3" ]; then
			: >"$tmp/warm-$1-$3"
			ask "$server" "$(question app "$3")" || {
				failed
				return 0
			}
		fi
	fi
	if ask "$server" "$(question "$kind" "$3")"; then
		record "$1"
	else
		failed
	fi
}

failed() {
	say "$contender: $name: $(tail -n 1 "$tmp/answer")"
	: >"$tmp/failed-$contender-$name"
	echo "$contender $name" >>"$tmp/failed"
	[ ! -f "$tmp/$server.pid" ] || stop "$server"
}

# What the figures depend on, lines "KEY<tab>VALUE".
about() {
	for contender in $all; do
		case $contender in
		native) printf 'contender\tnative\t-\n' ;;
		tls | local)
			printf 'contender\t%s\t%s\n' "$contender" \
			    "$contender" ;;
		class) printf 'contender\tclass\ttls\n' ;;
		*) printf 'contender\t%s\ttcp\n' "$contender" ;;
		esac
	done
	printf 'date\t%s\n' "$(date -u +%Y-%m-%d)"
	printf 'vgpu\t%s\n' "$(version)"
	printf 'machine\t%s, %s cores, %s MiB, Linux %s\n' \
	    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | sed q)" \
	    "$(nproc)" \
	    "$(awk '/^MemTotal/ { print int($2 / 1024) }' /proc/meminfo)" \
	    "$(uname -r)"
	OCL_ICD_VENDORS=$tmp/vendors OPENCL_VENDOR_PATH=$tmp/vendors \
	    POCL_CACHE_DIR=$tmp/pocl "$micro" about
	"$floor" about
}

version() {
	git -C "$top_srcdir" describe --always --dirty 2>/dev/null ||
	    sed -n 's/^AC_INIT(\[vgpu\], \[\(.*\)\]).*/\1/p' \
		"$top_srcdir/configure.ac"
}

# report TABLE [AWK-OPTION...]
report() {
	kind=$1
	shift
	awk "$@" -f "$here/formula.awk" -f "$here/report.awk" \
	    -f "$here/$kind" "$tmp/meta" "$here/targets" "$samples"
}

# write_markdown FILE: the tables; between the marks of a document, or alone.
write_markdown() {
	report table.awk -v markdown=1 >"$tmp/markdown"
	if grep -q '^<!-- bench: begin -->$' "$1" 2>/dev/null; then
		sed -e "/^<!-- bench: begin -->\$/r $tmp/markdown" \
		    -e '/^<!-- bench: begin -->$/,/^<!-- bench: end -->$/{
			/^<!-- bench: /!d
		}' "$1" >"$tmp/document"
		cat "$tmp/document" >"$1"
	else
		cat "$tmp/markdown" >"$1"
	fi
}
