# SPDX-License-Identifier: ISC
#
# table.awk - the report as a table: text, or Markdown with -v markdown=1.
# After formula.awk and report.awk.

END {
	prepare()
	if (markdown)
		print_markdown()
	else
		print_text()
}

function print_text(    i) {
	print_floor()
	heading()
	for (i = 1; i <= rows; i++)
		if (has_values(row[i]))
			line(row[i])
	print ""
	print "/nat and /floor: how many times as long as natively and at" \
	    " the floor; * target missed"
	totals("")
	pool("")
}

function print_floor(    i, r) {
	if (floors == 0)
		return
	printf "%-50s %6s %10s %10s\n", "floor of this machine", "", "median",
	    "p99"
	for (i = 1; i <= floors; i++) {
		r = floor[i]
		if (r !~ /\.p99$/)
			printf "%-50s %6s %10s %10s\n", floor_title(r),
			    unit[r], short(median["floor", r]),
			    short(value_of("floor", r ".p99"))
	}
	print ""
}

function floor_title(r,    t) {
	t = r
	sub(/-asleep$/, ", asleep", t)
	sub(/^rtt-/, "64 bytes there and back, ", t)
	sub(/^stream-/, "stream, ", t)
	sub(/-2$/, ", two lanes", t)
	sub(/unix/, "Unix socket", t)
	sub(/tcp/, "TCP", t)
	sub(/tls/, "TLS 1.3", t)
	return t
}

function heading(    i, c) {
	printf "%-50s %6s %10s", "work", "", "native"
	for (i = 1; i <= contenders; i++) {
		c = contender[i]
		if (c == "native")
			continue
		printf " | %10s %6s %6s", c, "/nat", "/floor"
		if (!is_peer[c])
			printf " %10s ", "target"
	}
	printf "\n"
}

function line(r,    i, c, t) {
	t = title[r]
	sub(/^\+ /, "  ... ", t)
	printf "%-50s %6s %10s", t, unit[r], short(value_of("native", r))
	for (i = 1; i <= contenders; i++) {
		c = contender[i]
		if (c == "native")
			continue
		printf " | %10s %6s %6s", short(value_of(c, r)),
		    short(times(value_of(c, r), value_of("native", r), r)),
		    short(times(value_of(c, r), floor_value(c, r), r))
		if (!is_peer[c])
			printf " %10s%s", short(target_value(c, r)),
			    verdict(c, r) == "missed" ? "*" : " "
	}
	printf "\n"
}

function totals(before,    i, j, c, v, count, missed) {
	for (i = 1; i <= contenders; i++) {
		c = contender[i]
		if (c == "native" || is_peer[c])
			continue
		count["reached"] = count["missed"] = 0
		missed = ""
		for (j = 1; j <= rows; j++) {
			if ((v = verdict(c, row[j])) != "")
				count[v]++
			if (v == "missed")
				missed = missed " " row[j]
		}
		if (count["reached"] + count["missed"] > 0)
			printf "%s%s: %d of %d targets reached%s\n", before, c,
			    count["reached"], count["reached"] + \
			    count["missed"],
			    missed == "" ? "" : "; missed:" missed
	}
}

# What choosing among devices takes: class beside tls, over all rows.
function pool(before,    i, r, ratio, sum, count) {
	for (i = 1; i <= rows; i++) {
		r = row[i]
		ratio = times(value_of("class", r), value_of("tls", r), r)
		if (ratio == "" || r ~ /^apps\./)
			continue
		sum += log(ratio)
		count++
	}
	if (count > 0)
		printf "%sclass to tls: %.3f, geometric mean of %d rows\n",
		    before, exp(sum / count), count
}

function print_markdown(    i, r) {
	for (i = 1; i <= metas; i++)
		print "- " meta_key[i] ": " meta[meta_key[i]]
	print "\n| floor | unit | median | p99 |\n|---|---|---|---|"
	for (i = 1; i <= floors; i++) {
		r = floor[i]
		if (r !~ /\.p99$/)
			print "| " floor_title(r) " | " unit[r] " | " \
			    short(median["floor", r]) " | " \
			    short(value_of("floor", r ".p99")) " |"
	}
	print ""
	markdown_heading()
	for (i = 1; i <= rows; i++)
		if (has_values(row[i]))
			markdown_line(row[i])
	print ""
	totals("- ")
	pool("- ")
}

function markdown_heading(    i, c, s, under) {
	s = "| work | unit | native |"
	under = "|---|---|---|"
	for (i = 1; i <= contenders; i++) {
		c = contender[i]
		if (c == "native")
			continue
		s = s " " c " | / native | / floor |"
		under = under "---|---|---|"
		if (!is_peer[c]) {
			s = s " target | |"
			under = under "---|---|"
		}
	}
	print s "\n" under
}

function markdown_line(r,    i, c, t, s) {
	t = title[r]
	sub(/^\+ /, "... ", t)
	s = "| " t " | " unit[r] " | " short(value_of("native", r)) " |"
	for (i = 1; i <= contenders; i++) {
		c = contender[i]
		if (c == "native")
			continue
		s = s " " short(value_of(c, r)) " | " \
		    short(times(value_of(c, r), value_of("native", r), r)) \
		    " | " \
		    short(times(value_of(c, r), floor_value(c, r), r)) " |"
		if (!is_peer[c])
			s = s " " short(target_value(c, r)) " | " \
			    verdict(c, r) " |"
	}
	print s
}
