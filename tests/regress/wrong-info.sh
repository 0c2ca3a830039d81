#!/bin/sh
# SPDX-License-Identifier: ISC
#
# A vendor that tells of its device what can't be: the device is left out, or told
# as the nearest that can be, with a reason in the log; others are served.
. "$(dirname "$0")/lib.sh"
first=$top_builddir/tests/regress/first-device
requires clinfo "$fakecl" "$first"

public_folder
mkdir vendors
fakecl_vendor good 'devices 1 gpu; name Good' vendors

# shown SCRIPT NAME...: with a vendor that plays the script besides, these
# devices are shown, of their names the first word; a program runs on the first.
shown() {
	fakecl_vendor bad "devices 1 gpu units 90; name Bad; $1" vendors
	script=$1
	shift
	timeout -k 5 60 "$vgpu_run" -v --vendors vendors sh -c \
	    'clinfo --raw >raw && "$0"' "$first" >out 2>log ||
	    fail "$script: exit status $?: $(cat out log)"
	got=$(sed -n 's/.*CL_DEVICE_NAME  *//p' raw | sed 's/ .*//' | tr '\n' ' ')
	[ "$got" = "$* " ] || fail "$script: $got instead of $*: $(cat log)"
}
# left_out SCRIPT REASON
left_out() {
	shown "$1" Good
	grep -q "device 0 left out: $2" log || fail "$1: no \"$2\": $(cat log)"
	grep -q "vendor bad .*not used: none of its devices" log ||
	    fail "$1: the vendor is used: $(cat log)"
}
# told SCRIPT REASON PROPERTY VALUE
told() {
	shown "$1" Bad Good
	grep -q "$2" log || fail "$1: no \"$2\": $(cat log)"
	got=$(sed -n "s/.* $3  *//p" raw | head -n 1)
	[ "$got" = "$4" ] || fail "$1: $3 is $got"
}

shown 'version 3.0' Bad Good
left_out 'lie 0x1000 number 0' 'its type is 0'
left_out 'lie 0x1004 number 0' 'its work-group size is 0'
left_out 'lie 0x1004 size 0' 'it does not tell its work-group size'
left_out 'lie 0x1004 absent' 'it does not tell its work-group size'
left_out 'lie 0x1003 number 4000000000' '.*dimensions'
left_out 'lie 0x1005 number 0' 'a work-item size is 0'
left_out 'lie 0x1005 size 8' 'it tells 8 bytes'
left_out 'lie 0x100d number 0' 'its address bits is 0'
left_out 'lie 0x101f number 0' 'its memory is 0'
left_out 'lie 0x102f size 0' 'it has no version'
told 'lie 0x1002 number 4294967295' 'number of compute units' \
    CL_DEVICE_MAX_COMPUTE_UNITS 1048576
told 'lie 0x1010 number 18446744073709551615' 'largest allocation' \
    CL_DEVICE_MAX_MEM_ALLOC_SIZE 1073741824
told 'lie 0x1019 number 0' 'alignment' CL_DEVICE_MEM_BASE_ADDR_ALIGN 1024
told 'lie 0x1030 endless' 'extensions has no end' CL_DEVICE_ADDRESS_BITS 64
shown 'lie 0x1030 size 4294967295' Bad Good
shown 'handles 3' Bad Good
grep -q 'device 2 left out: it has no handle' log || fail "handles: $(cat log)"
shown 'handles 4000000000' Bad Good
