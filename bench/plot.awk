# SPDX-License-Identifier: ISC
#
# plot.awk - the report as an SVG: a bar for each row and contender, as long as
# the work takes, natively being 1.  After formula.awk and report.awk.

BEGIN {
	left = 330	# pixels for the titles
	width = 560	# and for the bars
	bar = 11
	gap = 7
	top = 78
	low = 0.0625	# the scale's ends: times as long as natively
	high = 64
	colours = split("#1f77b4 #2ca02c #ff7f0e #9467bd #8c564b", colour, " ")
}

END {
	prepare()
	place()
	print_head()
	print_scale()
	for (i = 1; i <= shown; i++)
		print_row(shown_row[i], shown_y[i])
	print "</svg>"
}

# Which rows are shown, and where.
function place(    i, r, y) {
	y = top
	for (i = 1; i <= rows; i++) {
		r = row[i]
		if (value_of("native", r) == "" || bars(r) == 0)
			continue
		shown_row[++shown] = r
		shown_y[shown] = y
		y += bars(r) * bar + gap
	}
	bottom = y
}

function bars(r,    i, count) {
	count = 0
	for (i = 1; i <= contenders; i++)
		if (contender[i] != "native" && value_of(contender[i], r) != "")
			count++
	return count
}

function escape(s) {
	gsub(/&/, "\\&amp;", s)
	gsub(/</, "\\&lt;", s)
	gsub(/>/, "\\&gt;", s)
	return s
}

function text(x, y, anchor, s) {
	printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n",
	    x, y, anchor, escape(s)
}

function x_of(ratio) {
	if (ratio < low)
		ratio = low
	if (ratio > high)
		ratio = high
	return left + width * log(ratio / low) / log(high / low)
}

function print_head(    i, x, count) {
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" " \
	    "height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">\n",
	    left + width + 70, bottom + 20
	print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
	printf "<g font-size=\"14\">\n"
	text(10, 20, "start", "How many times as long as natively")
	print "</g>"
	text(10, 38, "start", meta["machine"] ", " meta["date"])
	x = left
	for (i = 1; i <= contenders; i++) {
		if (contender[i] == "native")
			continue
		printf "<rect x=\"%d\" y=\"11\" width=\"12\" height=\"9\" " \
		    "fill=\"%s\"/>\n", x, colour_of(++count)
		text(x + 17, 20, "start", label(contender[i]))
		x += 130
	}
	printf "<path d=\"M%d 10v11\" stroke=\"#d62728\" " \
	    "stroke-width=\"2\"/>\n", x
	text(x + 8, 20, "start", "target")
}

function label(c) {
	if (is_peer[c])
		return c
	return "vgpu over " (c == "tls" ? "TLS" : c == "class" ? \
	    "TLS, a class" : c)
}

function colour_of(k) {
	return colour[(k - 1) % colours + 1]
}

function print_scale(    r, x) {
	for (r = low; r <= high; r *= 2) {
		x = x_of(r)
		printf "<path d=\"M%.1f %dV%d\" stroke=\"%s\"/>\n", x, top - 8,
		    bottom, r == 1 ? "#000" : "#ddd"
		text(x, top - 12, "middle", r)
	}
}

function print_row(r, y,    i, c, v, t, count) {
	t = title[r]
	sub(/^\+ /, "... ", t)
	text(left - 8, y + bars(r) * bar / 2 + 4, "end", t)
	for (i = 1; i <= contenders; i++) {
		c = contender[i]
		if (c == "native")
			continue
		count++
		v = times(value_of(c, r), value_of("native", r), r)
		if (v == "")
			continue
		print_bar(c, r, v, y, colour_of(count))
		y += bar
	}
}

function print_bar(c, r, v, y, fill,    x, goal) {
	x = x_of(v)
	printf "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" " \
	    "fill=\"%s\"/>\n", left, y, x - left < 1 ? 1 : x - left, bar - 1,
	    fill
	goal = times(target_value(c, r), value_of("native", r), r)
	if (goal != "") {
		printf "<path d=\"M%.1f %.1fv%d\" stroke=\"#d62728\" " \
		    "stroke-width=\"2\"/>\n", x_of(goal), y - 0.5, bar
		if (x_of(goal) > x && x_of(goal) < x + 40)
			x = x_of(goal)
	}
	text(x + 4, y + bar - 1.5, "start", short(v))
}
