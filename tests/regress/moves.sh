# SPDX-License-Identifier: ISC
#
# moves.sh - for scripts that run in vgpu-run, with $vgpuctl and one session.

# The device that the session computes on.
on() {
	"$vgpuctl" --json sessions |
	    sed -n 's/^ *"device": \([0-9]*\).*/\1/p'
}

# until_so COMMAND...: within a minute; otherwise the script ends with 4.
until_so() {
	looks=0
	until "$@"; do
		sleep 0.02
		looks=$((looks + 1))
		[ $looks -lt 3000 ] || exit 4
	done
}

# The program has begun, or failed: it has said something.
has_said() {
	grep -q . "$1"
}
