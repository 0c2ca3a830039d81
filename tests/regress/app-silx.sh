#!/bin/sh
# SPDX-License-Identifier: ISC
#
# silx: its own OpenCL tests.
. "$(dirname "$0")/lib.sh"
requires "${APPS_PY:=$top_builddir/venv/bin/python3}"
export APPS_PY
app silx
