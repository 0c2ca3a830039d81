#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The examples of the manuals do what they say, but for places and ports.  Each
# is marked in its page by a comment, `example: NAME`; one that is not run
# here fails the test.
. "$(dirname "$0")/lib.sh"
nbody=$top_builddir/examples/nbody
requires openssl clinfo "$vgpu_run" "$vgpu_hostd" "$vgpu_icd" "$nbody"
pocl_only
public_folder
man=$top_srcdir/man
runs=$tmp/.runs
example=$runs/example
ran=
mkdir "$runs"

# example PAGE NAME: put the lines of an example, as people see them, into
# $example.
example() {
	awk -v name="$2" '
	index($0, ".\\\" example: ") == 1 { want = $3 == name; next }
	/^\.Ed/ { on = want = 0 }
	on { gsub(/\\e/, "\\"); gsub(/\\&/, ""); gsub(/\\\(dq/, "\""); print }
	want && /^\.Bd -literal/ { on = 1 }' "$man/$1" |
	    sed -e 's/gpuhost\.example/localhost/g' \
	    -e "s|/etc/vgpu|$tmp/etc|g; s|/srv/vgpu|$public|g" \
	    -e "s|/media/|$tmp/|g" >"$example"
	[ -s "$example" ] || fail "$1: no example $2"
	ran="$ran $1:$2"
}

# run PAGE NAME: run it in a shell, and show it where it fails.
run() {
	example "$1" "$2"
	cp "$example" "$runs/$2.sh"
	sh -eu "$runs/$2.sh" >"$runs/$2.out" 2>"$runs/$2.err" ||
	    fail "$1, $2: exit status $?: $(cat "$runs/$2.sh" "$runs/$2.err")"
}

# says NAME PATTERN: the output of that example has such a line.
says() {
	grep -qE "$2" "$runs/$1.out" "$runs/$1.err" ||
	    fail "$1: no \"$2\" in: $(cat "$runs/$1.out" "$runs/$1.err")"
}

# at_port: the examples' port is that of the daemon.
at_port() {
	sed "s|:9443|:$(cat "$tmp/port")|; s|localhost *$|localhost:$(cat \
	    "$tmp/port")|"
}

# The programs under their names; the daemon with the places of this test.
mkdir bin
cat >bin/vgpu-run <<END
#!/bin/sh
exec "$vgpu_run" --vendors "$pocl" "\$@"
END
cat >bin/vgpu-hostd <<END
#!/bin/sh
exec "$vgpu_hostd" -f "$tmp/etc/vgpu-hostd.conf" -o 'ca = "$tmp/etc/ca.pem"' \
    -o 'certificate = "$tmp/etc/host.pem"' -o 'key = "$tmp/etc/host.key"' "\$@"
END
chmod +x bin/*
PATH=$tmp/bin:$PATH
cp "$top_srcdir/examples/certificates.sh" .

# --- vgpu-tls(7) -------------------------------------------------------------

run vgpu-tls.7 certificates-further
[ -f pki/client-bob/cert.pem ] || fail "no certificate for bob"
run vgpu-tls.7 certificates-look
says certificates-look 'DNS:localhost'
run vgpu-tls.7 certificates-by-hand
openssl verify -CAfile pki/ca.pem -purpose sslserver host2.pem >/dev/null ||
    fail "the host's certificate made by hand"
rm -r pki

# --- vgpu-hostd.conf(5), vgpu-hostd(8) ---------------------------------------

run vgpu.7 certificates
run vgpu.7 install-host
example vgpu.7 minimal-conf
cp "$example" etc/vgpu-hostd.conf
for name in two-tenants local everybody all; do
	example vgpu-hostd.conf.5 hostd-$name
	cp "$example" new.conf
	run vgpu-hostd.8 hostd-check
	says hostd-check '^configuration OK$'
done
# The last one had every keyword.
for word in $(sed -nE 's/^\.It Ic ([a-z-]+).*/\1/p' \
    "$man/vgpu-hostd.conf.5" | sort -u); do
	grep -qE "(^|	)$word( |$)" new.conf || [ "$word" = tenant ] ||
	    fail "the example with every keyword has no $word"
done
example vgpu-hostd.8 hostd-over
sed 's/hostd/hostd -n/' "$example" >over.sh
sh over.sh || fail "vgpu-hostd(8), hostd-over: $(cat over.sh)"
grep -q -- '-o .*vendors' over.sh || fail "hostd-over is about vendors"

# --- vgpu(7), vgpu-client.conf(5) --------------------------------------------

example vgpu.7 start-host
sed '$d' "$example" >start.sh
[ "$(cat start.sh)" = 'vgpu-hostd -n' ] || fail "start-host: $(cat start.sh)"
sh start.sh || fail "the first steps' configuration is not accepted"
# As root, sessions would run as somebody who can't enter this test's folder.
background vgpu-hostd -o "listen = {'vgpu://127.0.0.1:0', 'vgpu+unix:$tmp/s'}" \
    -o 'tenant-default { users = "*" }' \
    -o "port-file = '$tmp/port'" -o "state-dir = '$tmp/state'" \
    -o "session-user = '$(id -un)'" -o "vendors = '$pocl'" 2>hostd.log
hostd=$!
wait_until 30 test -s port

vgpu_alone
cd pki
run vgpu.7 install-client
cd ..
for file in client.conf ca.pem cert.pem key.pem; do
	[ -f ".config/vgpu/$file" ] || fail "install-client: no $file"
done
at_port <pki/client-alice/client.conf >.config/vgpu/client.conf
run vgpu.7 run-client
says run-client '^Platform #0: vGPU$'
says run-client 'Device #0'
run vgpu.7 what-waits
says what-waits '^vgpu: summary .* all$'
"$nbody" 256 4 >nbody || fail "nbody: $(cat nbody hostd.log)"
grep -q 'right$' nbody || fail "nbody: $(cat nbody)"

example vgpu-client.conf.5 client-conf
at_port <"$example" >.config/vgpu/client.conf
run vgpu.7 run-client
says run-client '^Platform #0: vGPU$'
example vgpu-client.conf.5 client-conf-slow
at_port <"$example" >.config/vgpu/client.conf
mkdir 'my stick'
mv .config/vgpu/key.pem 'my stick/'
run vgpu.7 run-client
says run-client '^Platform #0: vGPU$'
mv 'my stick/key.pem' .config/vgpu/
example vgpu-client.conf.5 client-conf-local
sed "s|/run/vgpu/hostd.sock|$tmp/s|" "$example" >.config/vgpu/client.conf
run vgpu.7 run-client
says run-client '^Platform #0: vGPU$'
grep -q "tenant uid-$(id -u) begins" hostd.log || fail "$(cat hostd.log)"

echo 'host localhost:1' >.config/vgpu/client.conf
run vgpu.7 why
says why 'cannot connect to vgpu://localhost:1'
example vgpu.7 by-environment
at_port <"$example" >by-environment
sh by-environment >by-environment.out 2>&1 || :
grep -q '^Platform #0: vGPU$' by-environment.out ||
    fail "by-environment: $(cat by-environment by-environment.out)"
rm -r .config/vgpu
kill -TERM $hostd
wait_until 5 gone $hostd
unset OCL_ICD_VENDORS OPENCL_VENDOR_PATH

# --- vgpu-run(1), icd-vgpu(7) ------------------------------------------------

run vgpu.7 try
says try '^Platform #0: vGPU$'
run vgpu-run.1 run-list
says run-list '^Platform #0: vGPU$'
run vgpu-run.1 run-keep
says run-keep ': Portable Computing Language$'
says run-keep ': vGPU$'
run vgpu-run.1 run-several
says run-several '^Platform #0: vGPU$'
says run-several 'CL_PLATFORM_NAME *vGPU$'
run vgpuctl.8 ctl-devices
says ctl-devices '^DEVICE +VENDOR'
says ctl-devices '^0 +pocl +cpu'
run vgpu-run.1 run-trace
says run-trace '^vgpu: > [0-9]+ clCreateContext '
example icd-vgpu.7.in icd-trace
sed 's/clinfo/vgpu-run clinfo/' "$example" >trace.sh
sh trace.sh 2>trace.err || fail "icd-trace: $(cat trace.sh trace.err)"
for line in '^vgpu: > [0-9]+ clCreateContext ' '^vgpu: stats waits [0-9]+ '; do
	grep -qE "$line" trace.err || fail "icd-trace: no \"$line\""
done
run vgpu-run.1 run-as
says run-as 'CL_DEVICE_TYPE_GPU'

# --- all of them -------------------------------------------------------------

for page in "$man"/*.[1-8] "$man"/*.[1-8].in; do
	page=${page##*/}
	for name in $(sed -n 's/^\.\\" example: //p' "$man/$page"); do
		case " $ran " in
		*" $page:$name "*) ;;
		*) fail "$page: example $name is not run" ;;
		esac
	done
	marked=$(grep -c '^\.\\" example: ' "$man/$page") || :
	shown=$(grep -c '^\.Bd -literal' "$man/$page") || :
	[ "$marked" = "$shown" ] ||
	    fail "$page: $shown examples, of which $marked are marked"
done
