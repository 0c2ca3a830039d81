# SPDX-License-Identifier: ISC
#
# formula.awk - the values of the formulas in bench/targets.
#
#	formula(TEXT, CONTENDER, ROW)	a number, or "" where a value is missing
#
# median[CONTENDER, ROW] holds what was measured, transport[CONTENDER] which
# floor a contender has: tls, tcp, or local.

function formula(text, contender, row,    v) {
	f_text = text
	f_contender = contender
	f_row = row
	f_missing = 0
	v = f_sum()
	if (f_text != "")
		complain("formula \"" text "\": what is \"" f_text "\"?")
	return f_missing ? "" : v
}

# take(REGEX): take what matches at the front, "" where nothing does.
function f_take(regex,    s) {
	sub(/^ +/, "", f_text)
	if (!match(f_text, "^(" regex ")"))
		return ""
	s = substr(f_text, 1, RLENGTH)
	f_text = substr(f_text, RLENGTH + 1)
	sub(/^ +/, "", f_text)
	return s
}

function f_sum(    v, op) {
	v = f_product()
	while ((op = f_take("[-+]")) != "")
		v = op == "+" ? v + f_product() : v - f_product()
	return v
}

function f_product(    v, op, by) {
	v = f_factor()
	while ((op = f_take("[*/]")) != "") {
		by = f_factor()
		if (op == "*")
			v *= by
		else if (by == 0)
			f_missing = 1
		else
			v /= by
	}
	return v
}

function f_factor(    s, v) {
	if (f_take("[(]") != "") {
		v = f_sum()
		if (f_take("[)]") == "")
			complain("formula: no \")\" before \"" f_text "\"")
		return v
	}
	if ((s = f_take("[0-9.]+")) != "")
		return s + 0
	s = f_take("[a-z]+")
	v = f_take("\\[[^]]*\\]")
	return f_value(s, v == "" ? f_row : substr(v, 2, length(v) - 2))
}

function f_value(name, row) {
	if (name == "native")
		return f_median("native", row)
	if (name == "own")
		return f_median(f_contender, row)
	if (name == "memcpy")
		return f_median("floor", name)
	if (name == "rtt" || name == "stream")
		return f_median("floor", floor_row(name, f_contender))
	complain("formula: what is \"" name f_text "\"?")
}

# Which row of the floor is meant by rtt or stream.
function floor_row(name, contender,    t) {
	t = transport[contender]
	if (t == "local")
		return name == "rtt" ? "rtt-unix" : "memcpy"
	return name "-" t
}

function f_median(contender, row) {
	if ((contender, row) in median)
		return median[contender, row]
	f_missing = 1
	return 1
}

function complain(text) {
	print "bench: " text >"/dev/stderr"
	exit 2
}
