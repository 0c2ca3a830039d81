#!/bin/sh
# SPDX-License-Identifier: ISC
#
# A host that is down, or does not answer, costs at most two seconds once, and
# other platforms are there as ever.
. "$(dirname "$0")/lib.sh"
scenario=$top_builddir/tests/regress/scenario
requires "$scenario" clinfo openssl "$vgpu_icd"

pocl_only
echo "$vgpu_icd" >"$pocl/vgpu.icd"
OCL_ICD_VENDORS=$pocl OPENCL_VENDOR_PATH=$pocl
sh "$top_srcdir/examples/certificates.sh" certs lab 127.0.0.1 >log 2>&1 ||
    fail "certificates: $(cat log)"
VGPU_CA=$tmp/certs/client-lab/ca.pem VGPU_CERT=$tmp/certs/client-lab/cert.pem
VGPU_KEY=$tmp/certs/client-lab/key.pem
export OCL_ICD_VENDORS OPENCL_VENDOR_PATH VGPU_CA VGPU_CERT VGPU_KEY

# lists_pocl_alone SECONDS: clinfo shows PoCL and not vGPU, in that time.
lists_pocl_alone() {
	begun=$(uptime_s)
	clinfo -l >list || fail "clinfo: exit status $?"
	[ $(($(uptime_s) - begun)) -le "$1" ] ||
	    fail "$VGPU_HOST: $(($(uptime_s) - begun)) s"
	grep -q 'Portable Computing Language' list || fail "no PoCL"
	! grep -q vGPU list || fail "a platform of a host that is down"
}

VGPU_HOST=vgpu://127.0.0.1:1
export VGPU_HOST
lists_pocl_alone 2
background "$scenario" silent >port
wait_until 5 test -s port
VGPU_HOST=vgpu://127.0.0.1:$(cat port)
lists_pocl_alone 4

# says PATTERN: asked for any trace, the library says in one line why it has no
# platform.
says() {
	VGPU_TRACE=stats clinfo -l >list 2>err || fail "clinfo: exit status $?"
	[ "$(grep -c '^vgpu: ' err)" = 1 ] || fail "expected one line: $(cat err)"
	grep -q "^vgpu: no platform: $1" err || fail "no \"$1\": $(cat err)"
}

VGPU_HOST=vgpu://127.0.0.1:1
says 'cannot connect to vgpu://127.0.0.1:1'
VGPU_TIMEOUT=soon
export VGPU_TIMEOUT
says 'VGPU_TIMEOUT: timeout "soon", expected a number'
unset VGPU_TIMEOUT
mkdir -p .config/vgpu
echo 'hots x' >.config/vgpu/client.conf
says ".*/client.conf:1: unknown keyword"
rm -r .config/vgpu
unset VGPU_HOST
if [ ! -e /etc/vgpu/client.conf ]; then
	says 'no host is configured'
fi
clinfo -l >list 2>err
! grep -q '^vgpu: ' err || fail "said unasked: $(cat err)"
