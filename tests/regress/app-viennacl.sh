#!/bin/sh
# SPDX-License-Identifier: ISC
#
# ViennaCL: a solver; objects released by static destructors at exit.
. "$(dirname "$0")/lib.sh"
requires g++ /usr/include/viennacl/vector.hpp
app viennacl
