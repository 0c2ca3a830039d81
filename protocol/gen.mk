# SPDX-License-Identifier: ISC
#
# gen.mk - how a folder makes what gen.awk writes.  Included by the folders
# that have such files; they ship in tarballs and are never in git.

description = \
	$(top_srcdir)/protocol/gen.awk \
	$(top_srcdir)/protocol/gen_calls.awk \
	$(top_srcdir)/protocol/opencl.def \
	$(top_srcdir)/protocol/session.def

generator_awk = $(AWK)

# $(generate) TARGET: write gen.awk's TARGET to $@, whole or not at all.
generate = sh -c '$(generator_awk) -f $(top_srcdir)/protocol/gen.awk \
	-f $(top_srcdir)/protocol/gen_calls.awk -v out=$$1 \
	$(top_srcdir)/protocol/opencl.def $(top_srcdir)/protocol/session.def \
	>"$$0.tmp" && mv -f "$$0.tmp" "$$0"' $@
