#!/bin/sh
# SPDX-License-Identifier: ISC
#
# What correct programs may do and forwarders get wrong: each trap prints
# through vgpu what it prints natively.  conformance/traps/NAME.text has what
# it has to print where a vendor, named in its first line, does not survive it.
#
# TRAPS: only these.
. "$(dirname "$0")/lib.sh"
traps=$top_builddir/conformance/traps/traps
text=$top_srcdir/conformance/traps
requires "$traps"
pocl_only
list=${TRAPS:-$("$traps" -l)}

# only_text VENDOR NAME: is there no native run to compare with?
only_text() {
	[ -e "$text/$2.text" ] &&
	    sed -n 's/^# \(.*\): .*/\1/p' "$text/$2.text" | grep -qw "$1"
}

# expect VENDOR FOLDER: what each trap has to print.
expect() {
	for trap in $list; do
		if only_text "$1" "$trap"; then
			sed '/^#/d' "$text/$trap.text" >"$trap.expected"
			continue
		fi
		status=0
		OCL_ICD_VENDORS=$2 OPENCL_VENDOR_PATH=$2 timeout -k 1 60 \
		    "$traps" "$trap" >"$trap.expected" 2>"$trap.err" ||
		    status=$?
		[ $status = 0 ] || fail "$trap: exit status $status natively" \
		    "on $1: $(tail -n 3 "$trap.expected" "$trap.err")"
	done
}

# walk: all of them, in one daemon.
cat >walk <<'EOT'
for trap in $list; do
	timeout -k 1 60 "$traps" "$trap" >"$trap.vgpu" 2>"$trap.err" ||
	    echo "exit status $?" >>"$trap.vgpu"
done
EOT
export list traps

wrong=
for vendor in pocl intel; do
	folder=$pocl
	[ $vendor = pocl ] || folder=$intel_vendors
	[ -e "$folder/$vendor.icd" ] || continue
	expect $vendor "$folder"
	"$vgpu_run" --vendors "$folder" -- sh walk
	for trap in $list; do
		diff -u "$trap.expected" "$trap.vgpu" ||
		    wrong="$wrong $vendor:$trap"
	done
done
[ -z "$wrong" ] || fail "not as natively, or as demanded:$wrong"
