#!/bin/sh
# SPDX-License-Identifier: ISC
#
# clpeak: 20,000 launches, each waited for and profiled.
. "$(dirname "$0")/lib.sh"
requires clpeak
app clpeak
