#!/bin/sh
# SPDX-License-Identifier: ISC
#
# Builds, links, binaries, includes, kernels' descriptions and arguments are
# through vgpu what they are natively.
. "$(dirname "$0")/lib.sh"
programs=$top_builddir/conformance/programs
requires "$programs"

mkdir -p inc/sub
echo '#define ONE 1' >inc/one.h
printf '#include "../one.h"\n#define TWO 2\n' >inc/sub/two.h
echo '#error on purpose' >inc/wrong.h
same programs "$programs" "$tmp/inc"
[ $native_status = 0 ] || fail "exit status $native_status natively"
[ "$(wc -l <programs.native)" -gt 100 ] ||
    fail "only $(wc -l <programs.native) lines"
grep -q 'log names the file: 1' programs.vgpu || fail "$(cat programs.vgpu)"
