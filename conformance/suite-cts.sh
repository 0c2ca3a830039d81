# SPDX-License-Identifier: ISC
#
# cts - an OpenCL-CTS build, with the lists of what passes natively and the
# script that runs them in ../shared/cts.  What does not pass through vgpu is
# run natively as well.

lists=${VGPU_CTS:-$top_srcdir/../shared/cts}
list=$lists/$vendor-pass.tsv

# run.sh's results: module, subtest, result, ...
cts_results() {
	[ ! -f "$1" ] || awk -F '\t' '{ print $1 " " $2 "\t" $3 }' "$1"
}

# Some wait thousands of times: a delayed subtest has ten minutes, and one
# for each millisecond.
patience=
[ "$delay" = 0 ] || patience="-t $((60 * (delay + 10)))"

# cts_run HOW LIST NAME
cts_run() {
	rm -f "$kept/$3.tsv"
	# shellcheck disable=SC2086
	"$1" bash "$lists/run.sh" $patience -o "$kept/$3.tsv" \
	    -l "$kept/$3.logs" "$cts" "$2" >"$kept/$3.log" 2>&1 || :
	cts_results "$kept/$3.tsv" >"$3"
}

if [ ! -f "$list" ]; then
	skip "no list $list"
elif ! command -v bash >/dev/null; then
	skip "no bash"
else
	limit=36000
	awk -F '\t' -v only="$only" 'NR == 1 || $1 " " $2 ~ only' "$list" >list
	cts_run through_vgpu "$tmp/list" vgpu
	awk -F '\t' '
	FILENAME == ARGV[1] { bad[$1] = $2 !~ /^(pass|may-skip)$/; next }
	bad[$1 " " $2]' vgpu list >again
	: >native
	[ ! -s again ] || cts_run natively "$tmp/again" native
	awk -F '\t' -v OFS='\t' '
	FILENAME == ARGV[1] { known[$1]; print; next }
	FNR > 1 && !($1 " " $2 in known) {
		print $1 " " $2, $4 ~ /may-skip/ ? "may-skip" : "pass"
	}' native list >native.all
	compare native.all vgpu good='^pass$' skips='^may-skip$'
fi
