# SPDX-License-Identifier: ISC
#
# attacks.sh - for the regress tests of what hostile peers may send: an honest
# client that computes all the while, and what must hold after each attack.
#
#	. "$(dirname "$0")/lib.sh"
#	. "$here/attacks.sh"
#	(a daemon: $hostd, its log hostd.log, its tenant me, and VGPU_HOST)
#	begin_attacks me
#	attacker() { timeout 60 "$hostile" "$port" "$@"; }
#	attack '^closed$' 'dropped: ' . random
#	welcoming strangers
#	end_attacks

hostile=$top_builddir/tests/regress/hostile
scenario=$top_builddir/tests/regress/scenario
requires "$hostile" "$scenario" "$vgpu_hostd" "$vgpu_icd"

goes_on() {
	[ "$(wc -l <steady)" -gt "$1" ]
}

# begin_attacks TENANT: start the honest client, as that tenant; its session's
# number to $session.
begin_attacks() {
	mkfifo line
	"$scenario" steady <line >steady &
	honest=$!
	started="$started $honest"
	exec 3>line
	wait_until 60 goes_on 0
	session=$(sed -n "s/.*session \([0-9]*\) tenant $1 begins.*/\1/p" \
	    hostd.log)
	[ -n "$session" ] || fail "no session in the log: $(cat hostd.log)"
}

# unharmed WHAT: the daemon is there, and the honest client gets on.
unharmed() {
	! gone "$hostd" || fail "$*: the daemon has ended"
	! gone "$honest" || fail "$*: the honest client: $(tail -n 2 steady)"
	wait_until 20 goes_on "$(wc -l <steady)"
}

# welcoming WHAT: a new client gets in.
welcoming() {
	"$scenario" launches 10 >new || fail "$*: a new client: $(cat new)"
	[ "$(cat new)" = 'sum 55' ] || fail "$*: a new client: $(cat new)"
}

logged() {
	[ "$(tail -n +"$1" hostd.log | grep -cE "$2")" = 1 ]
}

# attack SAYS LOGS WORD...: attacker, which the test defines, is told SAYS at the
# end, and the log gains one line with LOGS.
attack() {
	says=$1 logs=$2
	shift 2
	before=$(($(wc -l <hostd.log) + 1))
	attacker "$@" >said || fail "$*: exit status $?: $(cat said)"
	grep -qE "$says" said || fail "$*: no \"$says\": $(cat said)"
	[ -z "$logs" ] || (wait_until 5 logged "$before" "$logs") ||
	    fail "$*: in the log: $(tail -n +"$before" hostd.log)"
	unharmed "$@"
}

# attack_garbage WORD...: every message, and some that there are not, with a body
# that means nothing.
attack_garbage() {
	for number in $(attacker . numbers) 9999 65535; do
		attacker "$@" garbage "$number" >said ||
		    fail "garbage $number: exit status $?: $(cat said)"
		grep -q '^closed$' said || fail "garbage $number: $(cat said)"
	done
	unharmed garbage
	welcoming garbage
}

# end_attacks: the honest client has counted right, and all end in order.
end_attacks() {
	echo go >&3
	wait "$honest" || fail "the honest client: exit status $?"
	grep -vxE 'sum 5050|steady to the end' steady &&
	    fail "the honest client counted wrong"
	[ "$(tail -n 1 steady)" = 'steady to the end' ] ||
	    fail "$(tail -n 1 steady)"
	kill -TERM "$hostd"
	wait_until 5 gone "$hostd"
	! grep -E 'signal|status [1-9]|runtime error|AddressSanitizer' \
	    hostd.log || fail "sessions did not end in order"
}
