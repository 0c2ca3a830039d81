# SPDX-License-Identifier: ISC
#
# json.awk - the report as JSON, every sample in it (sorted).  After
# formula.awk and report.awk.

END {
	prepare()
	print "{"
	for (i = 1; i <= metas; i++)
		print "  " quote(meta_key[i]) ": " quote(meta[meta_key[i]]) ","
	print "  \"floor\": ["
	for (i = 1; i <= floors; i++)
		print "    { \"name\": " quote(floor[i]) ", \"unit\": " \
		    quote(unit[floor[i]]) ", " numbers("floor", floor[i]) \
		    " }" (i < floors ? "," : "")
	print "  ],\n  \"rows\": ["
	for (i = 1; i <= rows; i++)
		if (has_values(row[i])) {
			printf "%s", separator
			print_row(row[i])
			separator = ",\n"
		}
	print "\n  ]\n}"
}

function quote(s) {
	gsub(/\\/, "\\\\", s)
	gsub(/"/, "\\\"", s)
	gsub(/[\001-\037]/, " ", s)
	return "\"" s "\""
}

function number(v) {
	return v == "" ? "null" : sprintf("%.9g", v)
}

function numbers(c, r,    i, s) {
	s = "\"median\": " number(median[c, r]) ", \"p99\": " \
	    number(p99[c, r]) ", \"rounds\": " n[c, r] ", \"samples\": ["
	for (i = 1; i <= n[c, r]; i++)
		s = s (i > 1 ? ", " : "") number(value[c, r, i])
	return s "]"
}

function print_row(r,    i, c, first) {
	first = 1
	print "    { \"name\": " quote(r) ", \"unit\": " quote(unit[r]) \
	    ", \"title\": " quote(title[r]) ","
	printf "      \"contenders\": {"
	for (i = 1; i <= contenders; i++) {
		c = contender[i]
		if (!((c, r) in median))
			continue
		printf "%s\n        %s: { %s", first ? "" : ",", quote(c),
		    numbers(c, r)
		if (c != "native")
			print_ratios(c, r)
		printf " }"
		first = 0
	}
	printf "\n      } }"
}

function print_ratios(c, r) {
	printf ",\n          \"to_native\": %s, \"floor\": %s, \"to_floor\": %s",
	    number(times(median[c, r], value_of("native", r), r)),
	    number(floor_value(c, r)),
	    number(times(median[c, r], floor_value(c, r), r))
	if (target_of(c, r) != "")
		printf ",\n          \"target\": %s, \"target_value\": %s, " \
		    "\"verdict\": %s", quote(target_of(c, r)),
		    number(target_value(c, r)), quote(verdict(c, r))
}
