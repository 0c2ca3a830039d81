# SPDX-License-Identifier: ISC
#
# calls - our own programs.  Some print what can be seen, which must be as it
# is natively; `calls` knows what the specification says for each case, which
# must be so through vgpu whatever the vendor's own library does.

# both PROGRAM [ARGUMENT...]: what it shows, natively and through vgpu.
both() {
	program=$1
	shift
	[ -x "$programs/$program" ] || return 0
	code=0
	natively "$programs/$program" "$@" >"$kept/$program.native" \
	    2>"$kept/$program.native.err" || code=$?
	lines "$program" <"$kept/$program.native" >native
	printf '%s exit status\t%s\n' "$program" $code >>native
	code=0
	through_vgpu "$programs/$program" "$@" >"$kept/$program.vgpu" \
	    2>"$kept/$program.vgpu.err" || code=$?
	lines "$program" <"$kept/$program.vgpu" >vgpu
	printf '%s exit status\t%s\n' "$program" $code >>vgpu
	compare native vgpu
}

# said: "ok NAME: CASE", "not ok NAME: CASE: got X, specification Y" and "skip
# NAME: CASE: WHY" as results.
said() {
	sed -n -E 's/^ok ([^:]*: .*)$/\1	ok/p
		s/^not ok ([^:]*: .*): (got .*)$/\1	\2/p
		s/^skip ([^:]*: .*): (.*)$/\1	skip/p' | numbered
}

calls() {
	calls=$programs/calls/calls
	[ -x "$calls" ] || return 0
	names=$("$calls" -l | grep -E -- "$only") || return 0
	# What hangs natively is not waited for long.
	# shellcheck disable=SC2086
	natively "$calls" -s 2 $names >"$kept/calls.native" \
	    2>"$kept/calls.native.err" || :
	# shellcheck disable=SC2086
	through_vgpu "$calls" $names >"$kept/calls.vgpu" \
	    2>"$kept/calls.vgpu.err" || :
	said <"$kept/calls.native" >native
	said <"$kept/calls.vgpu" >vgpu
	# An extension of our own is there although the vendor has none.
	awk -F '\t' 'NR == FNR { seen[$1]; next }
	    $2 != "skip" || $1 in seen' vgpu native >both
	mv both native
	saved=$only only=.
	compare native vgpu good='^ok$' skips='^skip$' oracle=specification
	only=$saved
	tail -n 1 "$kept/calls.vgpu" | grep -q '^[0-9]* passed, ' ||
	    result fail calls "did not come to its end"
	echo "calls $vendor: $(grep -c '^not ok' "$kept/calls.native")" \
	    "cases are natively not as specified"
}

# walk NAME...: every trap in a process of its own.
walk='for name; do
	code=0
	timeout -k 1 60 "$0" "$name" >text || code=$?
	sed "s/^/$name /" text
	echo "$name exit status: $code"
done'

# demanded NAME...: what is to be seen where no native run can show it: the
# first line of NAME.text names the vendors that do not survive that trap.
demanded() {
	for name; do
		text=$here/traps/$name.text
		[ -e "$text" ] && head -n 1 "$text" | sed 's/:.*//' |
		    grep -qw "$vendor" || continue
		sed "/^#/d; s/^/$name /" "$text"
		echo "$name exit status: 0"
	done
}

traps() {
	traps=$programs/traps/traps
	[ -x "$traps" ] || return 0
	names=$("$traps" -l)
	# shellcheck disable=SC2086
	demanded $names >"$kept/traps.demanded"
	known=$(sed 's/ .*//' "$kept/traps.demanded" | sort -u)
	compared=$(echo "$names" | grep -vxF -e "${known:-none}")
	# shellcheck disable=SC2086
	natively sh -c "$walk" "$traps" $compared >"$kept/traps.native" \
	    2>"$kept/traps.native.err"
	# shellcheck disable=SC2086
	through_vgpu sh -c "$walk" "$traps" $names >"$kept/traps.vgpu" \
	    2>"$kept/traps.vgpu.err" || :
	cat "$kept/traps.demanded" "$kept/traps.native" | sort -s -k 1,1 |
	    lines trap >native
	sort -s -k 1,1 "$kept/traps.vgpu" | lines trap >vgpu
	compare native vgpu
}

if [ -x "$programs/contents" ]; then
	limit=1800
	mkdir -p inc/sub
	echo '#define ONE 1' >inc/one.h
	printf '#include "../one.h"\n#define TWO 2\n' >inc/sub/two.h
	echo '#error on purpose' >inc/wrong.h
	both contents
	both ondevice
	both programs "$tmp/inc"
	both usm
	traps
	calls
else
	skip "no programs in $programs; build them"
fi
