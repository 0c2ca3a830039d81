#!/bin/sh
# SPDX-License-Identifier: ISC
#
# What README says under "First remote kernel", to the letter but for places:
# certificates and configuration from examples/, a daemon, a client that finds
# it through ~/.config/vgpu alone.
. "$(dirname "$0")/lib.sh"
requires openssl clinfo "$vgpu_hostd" "$vgpu_icd" "$system_vendors/pocl.icd"

sh "$top_srcdir/examples/certificates.sh" pki alice localhost >/dev/null
mkdir etc .config
# Sessions are another user, who keeps its kernels there.
public_folder
cp pki/host/* etc/
sed "s|^listen .*|listen = { \"vgpu://127.0.0.1:0\" }|
    s|^vendors .*|vendors = { \"$system_vendors/pocl.icd\" }|" \
    "$top_srcdir/examples/vgpu-hostd.conf" >etc/vgpu-hostd.conf
printf 'port-file = "%s"\nstate-dir = "%s"\n' "$tmp/port" "$public/state" \
    >>etc/vgpu-hostd.conf

# One that they cannot reach is told before it matters.
if [ "$(id -u)" = 0 ]; then
	! "$vgpu_hostd" -n -f etc/vgpu-hostd.conf \
	    -o "state-dir = '$tmp/state'" 2>said ||
	    fail "a state folder that sessions cannot reach is accepted"
	grep -q 'user "[a-z]*" cannot enter folder .*; do "chmod a+x ' said ||
	    fail "$(cat said)"
	[ "$(wc -l <said)" = 1 ] || fail "more than one line: $(cat said)"
fi
"$vgpu_hostd" -n -f etc/vgpu-hostd.conf || fail "the example is not accepted"
background "$vgpu_hostd" -f etc/vgpu-hostd.conf 2>hostd.log
hostd=$!
wait_until 20 test -s port

cp -r pki/client-alice .config/vgpu
sed "s|:9443|:$(cat port)|" pki/client-alice/client.conf \
    >.config/vgpu/client.conf
vgpu_alone

clinfo -l >list || fail "clinfo: exit status $?: $(cat hostd.log)"
grep -q 'Platform #0: vGPU' list || fail "$(cat list hostd.log)"
grep -q 'Device #0' list || fail "$(cat list hostd.log)"
"$top_builddir/examples/nbody" 256 4 >nbody || fail "$(cat nbody hostd.log)"
grep -q 'right$' nbody || fail "$(cat nbody)"

kill -TERM $hostd
wait_until 5 gone $hostd
