#!/bin/sh
# SPDX-License-Identifier: ISC
#
# The client library is a guest in somebody's process: it exports what the
# loaders need and nothing else, does not pull in a loader itself, and calls
# nothing that would end the process or change its signals.

. "$(dirname "$0")/lib.sh"

library=$builddir/icd-vgpu/.libs/libvgpu-icd.so
[ -f "$library" ] || {
	echo "$library: not there, expected it to be built"
	exit 1
}

exported=$(nm -D --defined-only "$library" | awk '{ print $3 }' | sort)
expected=$(printf '%s\n' clGetExtensionFunctionAddress clGetPlatformInfo \
    clIcdGetPlatformIDsKHR)
[ "$exported" = "$expected" ] ||
    offend "exported:" $exported "expected:" $expected

for needed in $(objdump -p "$library" | awk '$1 == "NEEDED" { print $2 }'); do
	case $needed in
	libOpenCL.*) offend "linked with $needed" ;;
	esac
done

# The sanitizers' runtime is linked into the library and may do these.
[ "${SANITIZED:-no}" = no ] || finish
for name in $(nm -D --undefined-only "$library" |
    awk '{ sub(/@.*/, "", $2); print $2 }'); do
	case $name in
	exit | _exit | _Exit | quick_exit | abort | atexit | raise | \
	signal | sigaction | fork | vfork | system | daemon | \
	perror | err | errx | warn | warnx)
		offend "calls $name" ;;
	esac
done
finish
