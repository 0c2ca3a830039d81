#!/bin/sh
# SPDX-License-Identifier: ISC
#
# How a host with devices of several vendors shows them, and which of them run
# what: two equal cards and a fast one of two vendors, and PoCL.
. "$(dirname "$0")/lib.sh"
first=$top_builddir/tests/regress/first-device
requires clinfo "$fakecl" "$first"

pocl_only
cpu=$(natively clinfo -l |
    sed -n 's/.*Device #[0-9]*: \([A-Za-z]*\).*/\1/p')
public_folder

# vendor NAME SCRIPT: one that plays the script.
vendor() {
	fakecl_vendor "$1" "$2" "$pocl"
}
vendor alpha 'devices 2 gpu units 10; model Card; vendor Alpha; driver 7'
vendor beta 'devices 1 gpu units 40; model Fast; vendor Beta'

# shown OPTION...: the names of the devices, in order, in one line.
shown() {
	"$vgpu_run" --vendors "$pocl" "$@" clinfo -l >out 2>log ||
	    fail "$*: exit status $?: $(cat log)"
	sed -n 's/.*Device #[0-9]*: \([A-Za-z]*\).*/\1/p' out | tr '\n' ' '
}

# expect WORDS OPTION...: those devices are shown, of PoCL's name one word.
expect() {
	words=$1
	shift
	got=$(shown "$@")
	[ "$got" = "$words " ] || fail "$*: shown $got, expected $words"
}
expect "Fast Card $cpu"
expect "Fast Card $cpu" --view class
expect "Fast Card Card $cpu" --view physical
expect "Fast" --view single

# The client may want less.
VGPU_DEVICES='card,3' && export VGPU_DEVICES
expect "Card Card $cpu" --view physical
expect "Card"
VGPU_VIEW=single && export VGPU_VIEW
expect "Card" --view physical
VGPU_DEVICES=alpha VGPU_VIEW=physical
expect "Card"
unset VGPU_DEVICES VGPU_VIEW
VGPU_VIEW=wide "$vgpu_run" --vendors "$pocl" clinfo -l >out 2>&1 || :
! grep -q 'vGPU' out || fail "a view of which nobody knows: $(cat out)"

# Who wants none of them is told which there are, on both sides.
for words in nosuch 9 -1 0-2 '['; do
	VGPU_DEVICES=$words VGPU_TRACE=calls "$vgpu_run" --vendors "$pocl" \
	    clinfo -l >out 2>err || :
	! grep -q vGPU out || fail "$words: a platform: $(cat out)"
	grep -F "vgpu: no platform: the host refused: \"$words\" of VGPU_DEVICES" \
	    err | grep -q 'devices: 0 Fast, 1 Card, 2 ' ||
	    fail "$words: $(cat err)"
done

# The administrator's orders, masks and names.
cat >conf <<'END'
order = fixed
tenant "vgpu-run" {
	devices = { "card", "beta" }
	names = { "Fast=Slow", "C*=Map" }
	view = physical
}
END
expect "Map Map Slow" -c conf
VGPU_DEVICES='map' && export VGPU_DEVICES	# by the names that are shown
expect "Map Map" -c conf
VGPU_DEVICES=slow
expect "Slow" -c conf
unset VGPU_DEVICES
echo 'order = speed' >conf
expect "Fast Card $cpu" -c conf

# One device of a class has another UUID than a class, and the driver's version
# is another one when the class has other members.
driver() {
	"$vgpu_run" --vendors "$pocl" "$@" clinfo --raw >out 2>&1 || fail "clinfo"
	sed -n 's/.*CL_DRIVER_VERSION  *//p' out | sort | tr '\n' ' '
}
before=$(driver)
[ "$(driver)" = "$before" ] || fail "drivers' versions change: $before"
[ "$(driver --view physical)" != "$before" ] || fail "a class is no device"
vendor alpha 'devices 3 gpu units 10; model Card; vendor Alpha; driver 7'
[ "$(driver)" != "$before" ] || fail "one more member changes no version"
vendor alpha 'devices 2 gpu units 10; model Card; vendor Alpha; driver 8'
[ "$(driver)" != "$before" ] || fail "another driver changes no version"
vendor alpha 'devices 2 gpu units 10; model Card; vendor Alpha; driver 7'
[ "$(driver)" = "$before" ] || fail "the same has another version"

# Twelve programs that take the first device end up by the devices' speeds, 4 to
# 1 to 1, and contexts of one program on different cards.
# shellcheck disable=SC2016
spread='
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	"$0" "$1/go" >"$1/$i.ran" &
done
until [ "$(cat "$1"/*.ran | wc -l)" -ge 12 ]; do
	sleep 0.05
done
vgpuctl sessions >"$1/sessions"
: >"$1/go"
wait'
timeout -k 10 100 "$vgpu_run" --vendors "$pocl" sh -c "$spread" "$first" \
    "$tmp" || fail "twelve programs: exit status $?"
cat ./*.ran | sort | uniq -c | sed 's/  */ /g' >counts
printf ' 2 Card 0\n 2 Card 1\n 8 Fast 0\n' >expected
cmp -s counts expected || fail "spread: $(cat counts)"
[ "$(grep -c ' vgpu-run ' sessions)" = 12 ] || fail "$(cat sessions)"

: >go
VGPU_DEVICES='card' "$vgpu_run" --vendors "$pocl" "$first" go 4 >out ||
    fail "four contexts: exit status $?"
printf 'Card 0\nCard 1\nCard 0\nCard 1\n' >expected
cmp -s out expected || fail "four contexts: $(cat out)"

# What is told is the device that the client sees first.
rm go
told='
"$0" "$1/go" >"$1/told.ran" &
until grep -q . "$1/told.ran"; do
	sleep 0.05
done
vgpuctl explain 1
: >"$1/go"
wait'
VGPU_DEVICES='card' "$vgpu_run" --vendors "$pocl" sh -c "$told" "$first" \
    "$tmp" >out || fail "who chose: exit status $?"
grep -q ' (Card) shown first: the first of those that its client chose' out ||
    fail "not what the client sees: $(cat out)"
! grep 'Fast) shown' out || fail "a device that the client does not see"
