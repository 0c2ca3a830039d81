#!/bin/sh
# SPDX-License-Identifier: ISC
#
# pyopencl with a loader of its own: arrays, events, images, maps.
. "$(dirname "$0")/lib.sh"
requires "${APPS_PY:=$top_builddir/venv/bin/python3}"
export APPS_PY
app pyopencl-basic
