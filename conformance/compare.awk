# SPDX-License-Identifier: ISC
#
# compare.awk - compares results; used by conformance/lib.sh.
#
#	awk -F '\t' -v suite=... -v vendor=... -v transport=... \
#	    -v only=... -f compare.awk
#	    [good=REGEX] [skips=REGEX] [oracle=specification]
#	    differences NATIVE VGPU
#
# NATIVE and VGPU have lines "NAME<tab>RESULT".  Prints a line
# "pass|fail|skip<tab>NAME<tab>TEXT" for each name in either.
#
# good: results that are right in themselves, also where the vendor's library
# fails.  skips: those of a test that could not run.  With the specification as
# oracle, results through vgpu must be good whatever they are natively, and the
# program that prints them decides what there is to be told of.

BEGIN {
	absent = "nothing"
}

# SUITE VENDOR[/TRANSPORT] NAME: RESULT // REASON
FILENAME ~ /differences$/ {
	if (/^#/ || !index($0, " // "))
		next
	text = substr($0, 1, index($0, " // ") - 1)
	split(text, word, " ")
	if (word[1] != suite ||
	    (word[2] != vendor && word[2] != vendor "/" transport))
		next
	sub(/^[^ ]+ [^ ]+ /, "", text)
	match(text, /.*: /)
	allowed[substr(text, 1, RLENGTH - 2)] = substr(text, RLENGTH + 1)
	next
}

$1 !~ only {
	next
}

!($1 in known) {
	known[$1] = 1
	order[++names] = $1
}

FILENAME == ARGV[ARGC - 2] {
	native[$1] = $2
	next
}

{
	vgpu[$1] = $2
}

function is(result, pattern) {
	return pattern != "" && result ~ pattern
}

function verdict(name, n, v) {
	if (name in allowed) {
		if (v == allowed[name])
			return "pass\t" name "\tas expected: " v
		return "fail\t" name "\texpected difference \"" \
		    allowed[name] "\" did not occur: natively " n \
		    ", through vgpu " v
	}
	if (is(v, good))
		return "pass\t" name "\t" v
	if (is(v, skips) && (n == v || oracle == "specification"))
		return "skip\t" name "\t" v
	if (oracle == "specification")
		return "fail\t" name "\t" v " (natively " n ")"
	if (n != v)
		return "fail\t" name "\tnatively " n ", through vgpu " v
	return "pass\t" name "\t" v
}

END {
	for (i = 1; i <= names; i++) {
		name = order[i]
		if (oracle == "specification" && !(name in vgpu))
			continue
		print verdict(name, name in native ? native[name] : absent,
		    name in vgpu ? vgpu[name] : absent)
	}
}
