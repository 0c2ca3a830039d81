#!/bin/sh
# SPDX-License-Identifier: ISC
#
# CLBlast: matrix products, from programs and their binaries.
. "$(dirname "$0")/lib.sh"
requires cc /usr/include/clblast_c.h
app clblast
