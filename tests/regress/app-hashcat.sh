#!/bin/sh
# SPDX-License-Identifier: ISC
#
# hashcat: kernels with include folders, binaries kept on disk.
. "$(dirname "$0")/lib.sh"
requires hashcat
app hashcat
