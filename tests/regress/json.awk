# SPDX-License-Identifier: ISC
#
# json.awk - succeeds when its input is one value of JSON (RFC 8259): strings
# and numbers become v, and so does what is made of them, from the inside out.

{ text = text $0 " " }

END {
	gsub(/"([^"\\]|\\["\\\/bfnrt])*"/, "s", text)
	gsub(/-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/, "v", text)
	gsub(/true|false|null/, "v", text)
	gsub(/ /, "", text)
	do {
		before = text
		gsub(/\[([sv](,[sv])*)?\]/, "v", text)
		gsub(/\{(s:[sv](,s:[sv])*)?\}/, "v", text)
	} while (text != before)
	exit text !~ /^[sv]$/
}
