#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Every row of clinfo is as natively, but for what conformance/clinfo.sed
# gives a reason for.
. "$(dirname "$0")/lib.sh"
requires clinfo

# The first column is a tag made of the platform's and the device's name.
rows() {
	sed -E 's/^\[[^]]*\] +//' | tr -s ' '
}

natively clinfo --raw >native || fail "clinfo: exit status $? natively"
through_vgpu clinfo --raw >vgpu || fail "clinfo: exit status $?"
network=$top_srcdir/conformance/clinfo-tls.sed
[ "${VGPU_TRANSPORT:-tls}" = tls ] || network=/dev/null
rows <native | sed -E -f "$top_srcdir/conformance/clinfo.sed" -f "$network" \
    >expected
rows <vgpu | sed -E '
	/^ *CL_PLATFORM_EXTENSIONS/d
	/^ *CL_PLATFORM_VERSION /s/ vGPU [0-9.]+$/ vGPU VERSION/
	/^CL_DRIVER_VERSION /s/ vGPU-[0-9a-f]{8}$/ vGPU-HASH/
	/^CL_DEVICE_MAX_CLOCK_FREQUENCY /d' >got
diff -u expected got || fail "not as natively"

# With one device, the platform has what the device has.
for row in EXTENSIONS EXTENSIONS_WITH_VERSION; do
	rows <vgpu | sed -n "s/^ *CL_PLATFORM_$row  *cl_khr_icd[^ ]* //p" \
	    >platform
	rows <vgpu | sed -n "s/^CL_DEVICE_$row  *//p" | grep . >device ||
	    fail "no CL_DEVICE_$row"
	diff -u device platform || fail "CL_PLATFORM_$row: not the device's"
done
[ "$(grep -c '^CL_DEVICE_' got)" -gt 80 ] || fail "only $(wc -l <got) rows"
