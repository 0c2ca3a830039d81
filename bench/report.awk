# SPDX-License-Identifier: ISC
#
# report.awk - from samples to medians, percentiles, targets and verdicts.
#
#	awk -f formula.awk -f report.awk -f table.awk META TARGETS SAMPLES
#
# META: lines "KEY<tab>VALUE"; the contenders' order and transports are among
# them ("contender<tab>NAME<tab>TRANSPORT").  SAMPLES: lines
# "CONTENDER<tab>ROW<tab>VALUE<tab>UNIT", and "about<tab>KEY<tab>VALUE", which
# say again what META says, when the samples were taken.  At the end prepare() has filled:
#
#	contenders, contender[1...], transport[NAME], is_peer[NAME]
#	rows, row[1...], unit[ROW], title[ROW], floor_of[ROW], target[ROW, T]
#	n[C, R], value[C, R, 1...] (sorted), median[C, R], p99[C, R]
#	floors, floor[1...]: rows of the floor, in the order they came

BEGIN { FS = "\t" }

FILENAME == ARGV[1] && $1 == "contender" {
	contender[++contenders] = $2
	transport[$2] = $3
	is_peer[$2] = $3 == "tcp"
	next
}
FILENAME == ARGV[1] {
	meta_key[++metas] = $1
	meta[$1] = $2
	next
}
FILENAME == ARGV[2] {
	if ($0 ~ /^#/ || $0 == "")
		next
	if (NF != 6)
		complain(FILENAME ":" FNR ": " NF " columns, expected 6")
	row[++rows] = $1
	unit[$1] = $2
	title[$1] = $3
	floor_of[$1] = $4
	target[$1, "tls"] = $5
	target[$1, "local"] = $6
	next
}
$1 == "about" {
	meta[$2] = $3
	next
}
{
	if ($1 == "floor" && !(($1, $2) in n)) {
		floor[++floors] = $2
		unit[$2] = $4
	}
	if (!(($1, $2) in n))
		key[++keys] = $1 SUBSEP $2
	value[$1, $2, ++n[$1, $2]] = $3 + 0
}

function prepare(    i, part) {
	for (i = 1; i <= keys; i++) {
		split(key[i], part, SUBSEP)
		statistics(part[1], part[2])
	}
	for (i = 1; i <= contenders; i++)
		if (contender[i] != "native")
			programs(contender[i])
}

function statistics(c, r,    i, j, v, count) {
	count = n[c, r]
	for (i = 2; i <= count; i++) {
		v = value[c, r, i]
		for (j = i - 1; j >= 1 && value[c, r, j] > v; j--)
			value[c, r, j + 1] = value[c, r, j]
		value[c, r, j + 1] = v
	}
	median[c, r] = (value[c, r, int((count + 1) / 2)] + \
	    value[c, r, int((count + 2) / 2)]) / 2
	p99[c, r] = value[c, r, count - int(count / 100)]
}

# The programs' ratios to native, of those that ran both ways.
function programs(c,    i, r, ratio, sum, worst, count) {
	for (i = 1; i <= rows; i++) {
		r = row[i]
		if (r !~ /^app-/ || !((c, r) in median) ||
		    !(("native", r) in median))
			continue
		ratio = median[c, r] / median["native", r]
		sum += log(ratio)
		count++
		if (ratio > worst)
			worst = ratio
	}
	if (count == 0)
		return
	n[c, "apps.mean"] = n[c, "apps.worst"] = 1
	p99[c, "apps.mean"] = value[c, "apps.mean", 1] = \
	    median[c, "apps.mean"] = exp(sum / count)
	p99[c, "apps.worst"] = value[c, "apps.worst", 1] = \
	    median[c, "apps.worst"] = worst
}

# Where more is better, as the unit says.
function is_rate(r) {
	return unit[r] ~ /\/s$/
}

# How many times as long as `to` takes; "" where one is missing.
function times(v, to, r) {
	if (v == "" || to == "" || v + 0 == 0 || to + 0 == 0)
		return ""
	return is_rate(r) ? to / v : v / to
}

function value_of(c, r) {
	return (c, r) in median ? median[c, r] : ""
}

# The target's formula without its comparison, and what it comes to.
function target_of(c, r,    t) {
	if (!((r, transport[c]) in target) || is_peer[c])
		return ""
	t = target[r, transport[c]]
	return t == "-" ? "" : t
}

function target_value(c, r,    t) {
	if ((t = target_of(c, r)) == "")
		return ""
	return formula(substr(t, 3), c, r)
}

# reached, missed, or "" where there is no target or nothing to compare.
function verdict(c, r,    goal, v) {
	goal = target_value(c, r)
	v = value_of(c, r)
	if (goal == "" || v == "")
		return ""
	if (substr(target_of(c, r), 1, 2) == "<=")
		return v <= goal ? "reached" : "missed"
	return v >= goal ? "reached" : "missed"
}

function floor_value(c, r) {
	return floor_of[r] == "-" ? "" : formula(floor_of[r], c, r)
}

# Rows that have a value, and those that belong to them.
function has_values(r,    i) {
	for (i = 1; i <= contenders; i++)
		if ((contender[i], r) in median)
			return 1
	return 0
}

# Four digits, or all before the point; "-" for nothing.
function short(v) {
	if (v == "")
		return "-"
	if (v >= 1000)
		return thousands(sprintf("%.0f", v))
	return sprintf(v >= 100 ? "%.0f" : v >= 10 ? "%.1f" : "%.2f", v)
}

function thousands(s) {
	return length(s) <= 3 ? s : \
	    thousands(substr(s, 1, length(s) - 3)) "," substr(s, length(s) - 2)
}
