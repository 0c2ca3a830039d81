#!/bin/sh
# SPDX-License-Identifier: ISC
#
# certificates.sh FOLDER TENANT NAME... - make what one host and one client of
# it need.  NAME: a DNS name or address by which clients reach the host.
# TENANT: who the client is, to the host.
#
#	FOLDER/ca.key			signs further clients; keep it safe
#	FOLDER/host/			to the host's /etc/vgpu
#	FOLDER/client-TENANT/		to the client's ~/.config/vgpu
#
# Run it again in the same FOLDER for a further tenant.

set -eu
umask 077
days=3650

[ $# -ge 3 ] || {
	sed -n 's/^# \{0,1\}//; 4,12p' "$0" >&2
	exit 2
}
folder=$1 tenant=$2
shift 2
case $tenant in
*[!A-Za-z0-9._-]* | '')
	echo "certificates.sh: tenant '$tenant': expected letters, digits," \
	    "'.', '_' and '-'" >&2
	exit 2 ;;
esac

names=
for name in "$@"; do
	case $name in
	*[!A-Za-z0-9.:-]* | '')
		echo "certificates.sh: '$name': expected a DNS name or an" \
		    "address" >&2
		exit 2 ;;
	*:*) names="$names,IP:$name" ;;
	*[!0-9.]*) names="$names,DNS:$name" ;;
	*) names="$names,IP:$name" ;;
	esac
done

new_key() {
	openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"
}

# sign KEY CERTIFICATE NAME EXTENSION...
sign() {
	key=$1 certificate=$2 subject=$3
	shift 3
	printf '%s\n' "$@" >"$folder/.extensions"
	openssl req -new -key "$key" -subj "/CN=$subject" |
	    openssl x509 -req -CA "$folder/ca.pem" -CAkey "$folder/ca.key" \
	    -days $days -extfile "$folder/.extensions" -out "$certificate" \
	    2>"$folder/.log" || {
		cat "$folder/.log" >&2
		exit 1
	}
	rm -f "$folder/.extensions" "$folder/.log"
}

mkdir -p "$folder/host" "$folder/client-$tenant"
if [ ! -f "$folder/ca.key" ]; then
	new_key "$folder/ca.key"
	openssl req -new -x509 -key "$folder/ca.key" -days $days \
	    -subj '/CN=vgpu CA' -addext 'keyUsage=critical,keyCertSign' \
	    -out "$folder/ca.pem"
fi
host=$folder/host
if [ ! -f "$host/host.pem" ]; then
	new_key "$host/host.key"
	sign "$host/host.key" "$host/host.pem" "vgpu host" \
	    "subjectAltName=${names#,}" 'basicConstraints=critical,CA:FALSE' \
	    'keyUsage=critical,digitalSignature' 'extendedKeyUsage=serverAuth'
fi
cp "$folder/ca.pem" "$host/ca.pem"

client=$folder/client-$tenant
new_key "$client/key.pem"
sign "$client/key.pem" "$client/cert.pem" "$tenant" \
    'basicConstraints=critical,CA:FALSE' \
    'keyUsage=critical,digitalSignature' 'extendedKeyUsage=clientAuth'
cp "$folder/ca.pem" "$client/ca.pem"
case $1 in
*:*) url="vgpu://[$1]:9443" ;;
*) url="vgpu://$1:9443" ;;
esac
echo "host $url" >"$client/client.conf"
echo "made $host and $client"
