#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Each header compiles alone, also twice.  CC and CFLAGS come from make.

. "$(dirname "$0")/lib.sh"

default="-std=gnu11 -D_GNU_SOURCE= -DCL_TARGET_OPENCL_VERSION=300"

# What the generator wrote is in the build tree, or came with a tarball.
generated=
for header in protocol/messages.h protocol/info.h icd-vgpu/calls.h \
    hostd/calls.h; do
	[ ! -f "$builddir/$header" ] && [ ! -f "$header" ] ||
	    generated="$generated $header"
done
for header in $(files $code -- '*.h') $generated; do
	printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
	    ${CC:-cc} -I"$builddir" -I"$srcdir" ${TREE_CFLAGS:-$default} \
	    -Werror -fsyntax-only -x c - || offend "$header: does not compile alone"
done
finish
