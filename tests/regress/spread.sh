#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Unmodified programs that each take the first device are spread: over alike
# devices evenly, and where they ran before in proportion to how fast devices
# are, whatever those say.  VERBOSE=1 tells how long that took.
. "$(dirname "$0")/lib.sh"
first=$top_builddir/tests/regress/first-device
requires "$fakecl" "$first"

pocl_only
public_folder

# For the scripts that run beside a daemon.
cat >functions <<'END'
# sessions_are N: wait until so many have contexts, and no others are there.
sessions_are() {
	n=0
	until [ "$(vgpuctl sessions | sed 1d |
	    awk '$5 == "-" { n += 1000 } { n++ } END { print n + 0 }')" = "$1" ]
	do
		n=$((n + 1))
		[ $n -lt 600 ] || { echo "not within 60 s: $1" >&2; exit 1; }
		sleep 0.1
	done
}
# The devices that sessions use, each behind the number of those that do.
counts() {
	vgpuctl sessions | sed 1d | awk '{ print $5 }' | sort | uniq -c |
	    sed 's/^ *//'
}
filter() {
	ffmpeg -hide_banner -loglevel error -nostdin \
	    -init_hw_device opencl=ocl:0.0 -filter_hw_device ocl \
	    -f rawvideo -pix_fmt yuv420p -s 64x64 -r 5 -i "$1" -vf \
	    hwupload,avgblur_opencl=sizeX=3,hwdownload,format=yuv420p \
	    -f framemd5 -
}
END

# Programs that read what nobody writes yet, so that all are there at once.
cat >real.sh <<'END'
. ./functions
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	mkfifo in.$i
	filter in.$i >md5.$i &
done
sessions_are 12
counts >real
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
	cat frames >in.$i &
done
wait
END

# PoCL's devices are the same processor three times.
real() {
	seq 9000 | head -c 24576 >frames
	natively sh -c '. ./functions; filter frames' >md5
	[ -s md5 ] || fail "ffmpeg tells nothing natively"
	POCL_DEVICES='pthread pthread pthread' timeout -k 10 200 "$vgpu_run" \
	    --vendors "$pocl" --view class sh real.sh ||
	    fail "twelve times ffmpeg: exit status $?"
	printf '4 0\n4 1\n4 2\n' | cmp -s - real ||
	    fail "twelve times ffmpeg: $(cat real)"
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		cmp -s md5 md5.$i || fail "ffmpeg $i: $(diff md5 md5.$i)"
	done
}
if command -v ffmpeg >/dev/null; then
	real
else
	echo "spread: no ffmpeg: our own program alone" >&2
fi

# Three cards that say the same of themselves, of which the second one takes 80
# and the third 66 percent of the time.  Twelve programs of one size are done
# soonest if 3, 4 and 5 of them run there.
mkdir "$public/locks"
chmod 777 "$public/locks"
mkdir cards
fakecl_vendor alpha "devices 1 gpu; devices 1 gpu pace 80;
    devices 1 gpu pace 66; model Card; alone $public/locks" cards

cat >cards.sh <<'END'
. ./functions
# play NAME PROGRAMS: that many, which begin to work when all have a context.
play() {
	for i in $(seq "$2"); do
		"$first" "$1.go" 1 "$launches" "$ms" >"$1.$i" &
	done
	sessions_are "$2"
	until [ "$(cat "$1".[0-9]* | wc -l)" = "$2" ]; do
		sleep 0.1
	done
	counts >"$1"
	began=$(date +%s%N)
	: >"$1.go"
	wait
	echo "$1 $((($(date +%s%N) - began) / 1000000)) ms"
	sessions_are 0
}
play three 3
play twelve 12
END
: "${LAUNCHES=10}" "${MS=20}"
first=$first launches=$LAUNCHES ms=$MS timeout -k 10 200 "$vgpu_run" \
    --vendors cards --view class sh cards.sh >took ||
    fail "twelve programs: exit status $?"
[ -z "${VERBOSE-}" ] || cat took
printf '1 0\n1 1\n1 2\n' | cmp -s - three || fail "unknown: $(cat three)"
printf '3 0\n4 1\n5 2\n' | cmp -s - twelve || fail "learned: $(cat twelve)"
