#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Whatever a stranger or a tenant sends: the daemon lives on, the session of an
# honest client is not disturbed, new clients get in, and the log says in one
# line what was wrong.
. "$(dirname "$0")/lib.sh"
. "$here/attacks.sh"
requires openssl
pocl_only

# --- certificates, a daemon, an honest client --------------------------------

certificates() {
	sh "$top_srcdir/examples/certificates.sh" "$@" 127.0.0.1 >made 2>&1 ||
	    fail "certificates: $(cat made)"
}
certificates pki alice
certificates pki mallory
certificates pki stranger
certificates other alice
# Signed by the right one, and over since yesterday.
cp -r pki/client-mallory expired
openssl req -new -key expired/key.pem -subj /CN=mallory |
    openssl x509 -req -CA pki/ca.pem -CAkey pki/ca.key -days -1 \
    -out expired/cert.pem 2>made || fail "certificate: $(cat made)"

cat >hostd.conf <<END
listen = "vgpu://127.0.0.1:0"
port-file = "$tmp/port"
ca = "pki/ca.pem"
certificate = "pki/host/host.pem"
key = "pki/host/host.key"
vendors = "$pocl"
state-dir = "$tmp/state"
session-user = "$(id -un)"
handshake-timeout = 2
tenant alice {}
tenant mallory {}
END
background "$vgpu_hostd" -f "$tmp/hostd.conf" 2>hostd.log
hostd=$!
wait_until 30 test -s port
port=$(cat port)

vgpu_alone
VGPU_HOST=vgpu://127.0.0.1:$port VGPU_CA=$tmp/pki/ca.pem
VGPU_CERT=$tmp/pki/client-alice/cert.pem VGPU_KEY=$tmp/pki/client-alice/key.pem
VGPU_TIMEOUT=20000
export VGPU_HOST VGPU_CA VGPU_CERT VGPU_KEY VGPU_TIMEOUT

begin_attacks alice
attacker() {
	timeout 60 "$hostile" "$port" "$@"
}
mallory=$tmp/pki/client-mallory

# --- strangers ---------------------------------------------------------------

attack '^closed$' 'dropped: .* HTTP request' . http
attack '^closed$' 'dropped: ' . random
attack '^closed$' '' . four-bytes
attack '^closed$' 'dropped: .* TLS' "$mallory" no-preamble
attack '^closed$' 'ended: .* in time' . only-preamble
attack '^closed$' 'connection .*ended: ' . absurd-record
attack '^closed$' 'connection .*ended: ' . random-handshake
attack '^closed$' 'join session 4711 dropped' . only-preamble 4711
attack '^closed$' 'join session 0 dropped' . only-preamble 0xffffffffffffffff
welcoming strangers

# --- certificates ------------------------------------------------------------

attack '^closed$' 'connection .*ended: ' "$tmp/other/client-alice" handshake
attack '^closed$' 'connection .*ended: .*expired' "$tmp/expired" handshake
attack '^refuse identity: ' 'tenant stranger refused: identity' \
    "$tmp/pki/client-stranger" handshake
welcoming certificates

# --- tenants: lengths and order ----------------------------------------------

for length in 0 15 17 4104 0x80000000 0xfffffff0; do
	attack '^goodbye protocol: ' 'tenant mallory: ended: protocol: ' \
	    "$mallory" early-length $length
done
for length in 0 15 17 0x20000008 0x80000000 0xffffffff; do
	attack '^goodbye protocol: ' 'tenant mallory: ended: protocol: ' \
	    "$mallory" late-length $length
done
attack '^closed$' 'tenant mallory begins' "$mallory" cut-short
# clFinish, release, data; a message of the host's; and none that there is.
for number in 47 517 521 513 0 9999 65535; do
	attack '^goodbye protocol: ' 'tenant mallory: ended: protocol: ' \
	    "$mallory" early-message $number
done
attack '^goodbye protocol: ' 'tenant mallory: ended: protocol: ' \
    "$mallory" hello-twice
welcoming lengths

# --- tenants: further lanes --------------------------------------------------

attack '^closed$' "session $session tenant alice: .*token" \
    "$tmp/pki/client-alice" join-wrong-token "$session"
attack '^closed$' "session $session tenant alice: .*certificate" \
    "$mallory" join-wrong-token "$session"
attack '^closed$' 'tenant alice: .*certificate' \
    "$tmp/pki/client-alice" join-as-another 0 "$mallory"
# That this one fails for its certificate, others show by getting through.
attack '^joined$' '' "$tmp/pki/client-alice" join-as-another 1
welcoming lanes

# --- tenants: every message with a body that means nothing -------------------

attack_garbage "$mallory"

# --- many who say nothing ----------------------------------------------------

silent=
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	"$hostile" "$port" . four-bytes >silent.$i &
	silent="$silent $!"
	started="$started $!"
done
welcoming 'silent ones'
for pid in $silent; do
	wait "$pid" || fail "a silent client: exit status $?"
done
unharmed 'silent ones'

end_attacks
