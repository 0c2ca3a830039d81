# SPDX-License-Identifier: ISC
#
# piglit - Debian's: all of the API group, and every 8th test of those that run
# kernels.

# piglit_results FOLDER: its tests' results.
piglit_results() {
	piglit summary console "$1" |
	    sed -n -E 's/^([a-z]+[@\/].*): (pass|fail|crash|skip|warn|timeout|incomplete|notrun)$/\1	\2/p'
}

if command -v piglit >/dev/null; then
	limit=3000
	piglit print-cmd --format '{name}' cl 2>/dev/null | sort -u >all-tests
	grep '^api@' all-tests >tests
	grep '^program@' all-tests | awk 'NR % 8 == 1' >>tests
	grep -E -- "$only" tests >chosen || :
	natively piglit run -o -j 2 --timeout 600 --test-list "$tmp/chosen" cl \
	    "$kept/native" >"$kept/native.log" 2>&1 || :
	through_vgpu piglit run -o -j 2 --timeout 600 --test-list "$tmp/chosen" cl \
	    "$kept/vgpu" >"$kept/vgpu.log" 2>&1 || :
	piglit_results "$kept/native" >native
	piglit_results "$kept/vgpu" >vgpu
	[ -s native ] || result fail piglit "no results natively"
	compare native vgpu good='^pass$' skips='^skip$'
else
	skip "no piglit"
fi
