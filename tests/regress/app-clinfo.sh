#!/bin/sh
# SPDX-License-Identifier: ISC
#
# clinfo: every row of the device as natively.
. "$(dirname "$0")/lib.sh"
requires clinfo
app clinfo
