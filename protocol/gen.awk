# SPDX-License-Identifier: ISC
#
# gen.awk - turn opencl.def and session.def into C.
#
#	awk -f gen.awk -f gen_calls.awk -v out=TARGET opencl.def session.def
#
# TARGET: messages_h messages_c info_h info_c extensions_h extensions_c
# (protocol/), icd_h icd_c (icd-vgpu/), host_h host_c (hostd/), calls_mdoc
# extensions_mdoc (man/), lock.  The form of the input is told at the top of
# opencl.def.  Here it is read, and what concerns messages and the manual is
# written; gen_calls.awk writes the two sides' functions.  POSIX awk.

function fail(text)
{
	printf "%s:%d: error: %s\n", FILENAME, FNR, text > "/dev/stderr"
	failed = 1
	exit 1
}

function kinds(list, wire, n, i, part, pair)
{
	n = split(list, part, " ")
	for (i = 1; i <= n; i++) {
		split(part[i], pair, "=")
		wire_kind[pair[1]] = wire
		c_type[pair[1]] = pair[2]
		gsub(/~/, " ", c_type[pair[1]])
	}
}

function object(kind, code, c, const)
{
	obj_const[kind] = const
	obj_const[kind "[]"] = const
	obj_error[kind] = code
	kinds(kind "=" c, "ID")
	kinds(kind "[]=const~" c "~*", "IDS")
}

BEGIN {
	kinds("u64=cl_ulong size=size_t flags=cl_bitfield bool=cl_bool", "U64")
	kinds("u32=cl_uint", "U32")
	kinds("i32=cl_int", "I32")
	kinds("string=const~char~*", "STRING")
	kinds("bytes=-", "BYTES")
	kinds("u64[]=const~cl_ulong~* size[]=const~size_t~*", "U64S")
	kinds("bytes[]=-", "LIST")
	kinds("string[]=-", "STRINGS")
	kinds("arg[]=-", "ARGS")
	object("platform", "CL_INVALID_PLATFORM", "cl_platform_id", "PLATFORM")
	object("device", "CL_INVALID_DEVICE", "cl_device_id", "DEVICE")
	object("context", "CL_INVALID_CONTEXT", "cl_context", "CONTEXT")
	object("queue", "CL_INVALID_COMMAND_QUEUE", "cl_command_queue", "QUEUE")
	object("mem", "CL_INVALID_MEM_OBJECT", "cl_mem", "MEM")
	object("program", "CL_INVALID_PROGRAM", "cl_program", "PROGRAM")
	object("kernel", "CL_INVALID_KERNEL", "cl_kernel", "KERNEL")
	object("event", "CL_INVALID_EVENT", "cl_event", "EVENT")
	object("sampler", "CL_INVALID_SAMPLER", "cl_sampler", "SAMPLER")
	object("command_buffer", "CL_INVALID_COMMAND_BUFFER_KHR",
	    "struct~_cl_command_buffer_khr~*", "COMMAND_BUFFER")
	object("mutable_command", "CL_INVALID_MUTABLE_COMMAND_KHR",
	    "struct~_cl_mutable_command_khr~*", "MUTABLE_COMMAND")
	object("semaphore", "CL_INVALID_SEMAPHORE_KHR",
	    "cl_semaphore_khr", "SEMAPHORE")
	count = 0	# of calls, messages and records
	exts = 0	# extensions
	functions = 0	# of vendors' extensions
}

# ---- reading -----------------------------------------------------------

{ sub(/[ \t]*#.*/, "") }
NF == 0 { next }

$1 == "call" || $1 == "message" || $1 == "record" {
	count++
	type[count] = $1
	name[count] = $2
	if ($2 in index_of)
		fail("second description of " $2)
	index_of[$2] = count
	fields[count] = outs[count] = args[count] = 0
	ret[count] = "cl_int"
	class[count] = $1 == "call" ? $4 : "session"
	if ($1 == "record")
		next
	number[count] = $3
	if ($3 !~ /^[0-9]+$/ || $3 in taken)
		fail("number " $3 " of " $2 " is taken or no number")
	taken[$3] = count
	if ($1 == "call") {
		if ($4 !~ /^(local|async|sync)$/)
			fail("class " $4 ": expected local, async or sync")
		since[count] = $5
		if ($5 in ext_kind) {
			ext_calls[$5]++
			if (ext_kind[$5] == "calls" && $4 != "local")
				add_function($2, $5)
		} else if ($5 !~ /^[0-9]+\.[0-9]+$/)
			fail("\"" $5 "\" is no version and no extension above")
	} else {
		if ($4 !~ /^(client|host|both)$/)
			fail("sender " $4 ": expected client, host or both")
		sender[count] = $4
	}
	next
}
$1 == "info" {
	if ($2 != "platform" && $2 != "device")
		fail("info of " $2 ": expected platform or device")
	infos[$2]++
	info_name[$2, infos[$2]] = $3
	info_value[$2, infos[$2]] = $4
	info_mode[$2, infos[$2]] = toupper($5)
	next
}
$1 == "extension" {
	if ($3 !~ /^(kernels|queries|calls|own)$/)
		fail("kind " $3 ": expected kernels, queries, calls or own")
	if (($3 == "own") != ($4 ~ /^[0-9]+\.[0-9]+\.[0-9]+$/))
		fail("an extension has a version if it is vgpu's own")
	if ($2 in ext_kind)
		fail("second description of " $2)
	ext_name[++exts] = $2
	ext_kind[$2] = $3
	ext_version[$2] = $4
	next
}
$1 == "hidden" {
	if ($2 in ext_kind || NF < 3)
		fail("\"" $2 "\" is carried, or without a reason")
	hidden[++hiddens] = $2
	sub(/^[ \t]*hidden[ \t]+[^ \t]+[ \t]+/, "")
	why[hiddens] = $0
	next
}
$1 == "needs" && exts && !count { add_function($2, ext_name[exts]); next }
$1 == "absent" {
	absents++
	absent_name[absents] = $2
	absent_kind[absents] = $3
	next
}
count == 0 { fail("\"" $1 "\" outside of a paragraph") }
$1 == "in" || $1 == "wire" || $1 == "new" { add_field($1, $2, $3, $4); next }
$1 == "app" { t = $2; gsub(/~/, " ", t); add_arg(t, $3); next }
$1 == "ret" {
	ret[count] = ($2 in c_type) ? c_type[$2] : $2
	next
}
$1 == "out" {
	if (!($2 in wire_kind))
		fail("unknown kind " $2)
	outs[count]++
	out_kind[count, outs[count]] = $2
	out_name[count, outs[count]] = $3
	next
}
$1 == "events" {
	add_arg("cl_uint", "num_events_in_wait_list")
	add_field("in", "event[]", "event_wait_list", "")
	add_arg("cl_event *", "event")
	add_field("new", "event", "event", "")
	nullable[count, "event"] = 1
	next
}
$1 == "recorded" {
	add_arg("cl_uint", "num_sync_points_in_wait_list")
	add_arg("const cl_uint *", "sync_point_wait_list")
	add_arg("cl_uint *", "sync_point")
	add_arg(c_type["mutable_command"] "*", "mutable_handle")
	via[count] = "command_record"
	next
}
$1 == "query" {
	query_args[count] = args[count]
	add_arg("cl_uint", "param_name")
	add_arg("size_t", "param_value_size")
	add_arg("void *", "param_value")
	add_arg("size_t *", "param_value_size_ret")
	next
}
$1 == "errcode" { add_arg("cl_int *", "errcode_ret"); next }
$1 == "may" && $2 == "null" { nullable[count, $3] = 1; next }
$1 == "cost" { cost[count] = $2 " " $3; next }
$1 == "via" { via[count] = $2; next }
$1 == "alias" { alias[++aliases] = $2; alias_of[aliases] = count; next }
$1 == "slot" { slot[++slots] = $2; slot_of[slots] = count; next }
$1 == "body" { body[count] = $2; next }
{ fail("unknown word \"" $1 "\"") }

# A function that the host calls by its address.
function add_function(n, extension)
{
	functions++
	function_name[functions] = n
	function_ext[functions] = extension
}

function add_arg(t, n)
{
	args[count]++
	arg_type[count, args[count]] = t
	arg_name[count, args[count]] = n
}

function add_field(dir, kind, n, len, i)
{
	if (!(kind in wire_kind))
		fail("unknown kind " kind)
	if (dir == "in") {
		add_arg(c_type[kind], n)
		arg_object[count, args[count]] = kind
	}
	if (class[count] == "local")
		return
	i = ++fields[count]
	f_kind[count, i] = kind
	f_name[count, i] = n
	f_new[count, i] = dir == "new"
	f_len[count, i] = len
	f_index[count, n] = i
	if (len != "" && len !~ /^[0-9]+$/ && !((count, len) in f_index))
		fail("length " len " of " n " names no earlier field")
}

END {
	if (failed)
		exit 1
	if (out == "messages_h") messages_h()
	else if (out == "messages_c") messages_c()
	else if (out == "info_h") info_h()
	else if (out == "info_c") info_c()
	else if (out == "extensions_h") extensions_h()
	else if (out == "extensions_c") extensions_c()
	else if (out == "icd_h") icd_h()
	else if (out == "icd_c") icd_c()
	else if (out == "host_h") host_h()
	else if (out == "host_c") host_c()
	else if (out == "calls_mdoc") calls_mdoc()
	else if (out == "extensions_mdoc") extensions_mdoc()
	else if (out == "lock") lock()
	else {
		print "gen.awk: no such target: " out > "/dev/stderr"
		exit 1
	}
}

function banner(guard)
{
	print "/* SPDX-License-Identifier: ISC */"
	print "/* Made by protocol/gen.awk from opencl.def and session.def. */"
	if (guard != "")
		printf "#ifndef %s\n#define %s\n\n", guard, guard
}

# Does item i have a message of its own?
function travels(i) { return class[i] != "local" }

# ---- protocol/ ---------------------------------------------------------

function c_field(kind)
{
	if (wire_kind[kind] ~ /^(U64|U32)$/) return "uint64_t"
	if (wire_kind[kind] == "I32") return "int64_t"
	if (wire_kind[kind] == "ID") return "union ref"
	return "struct span"
}

function messages_h(i, j)
{
	banner("VGPU_PROTOCOL_MESSAGES_H")
	print "#include \"protocol/codec.h\"\n"
	print "enum message_number {"
	for (i = 1; i <= count; i++)
		if (travels(i) && type[i] != "record")
			printf "\tMSG_%s = %d,\n", name[i], number[i]
	print "};\n"
	for (i = 1; i <= count; i++) {
		if (!travels(i))
			continue
		printf "struct msg_%s {\n", name[i]
		for (j = 1; j <= fields[i]; j++)
			printf "\t%s %s;\n", c_field(f_kind[i, j]), f_name[i, j]
		if (fields[i] == 0)
			print "\tuint64_t nothing;"
		print "};"
		if (outs[i] || class[i] == "sync") {
			printf "struct reply_%s {\n\tint64_t status;\n", name[i]
			for (j = 1; j <= outs[i]; j++)
				printf "\t%s %s;\n", c_field(out_kind[i, j]),
				    out_name[i, j]
			print "};"
		}
		printf "extern const struct message desc_%s;\n\n", name[i]
	}
	print "/* Every message and record, in the order of the description. */"
	print "extern const struct message *const message_list[];"
	print "extern const unsigned message_list_count;\n"
	print "#endif"
}

function field_line(i, j, struct, kind, n, flags, len, lenf)
{
	flags = 0
	if ((i, n) in nullable) flags += 1
	if (struct == "msg" && f_new[i, j]) flags += 2
	len = 0
	lenf = -1
	if (struct == "msg" && f_len[i, j] ~ /^[0-9]+$/)
		len = f_len[i, j]
	else if (struct == "msg" && f_len[i, j] != "")
		lenf = f_index[i, f_len[i, j]] - 1
	printf "\t{ \"%s\", FIELD_%s, OBJ_%s, %d, %d, %d,\n", n, wire_kind[kind],
	    (kind in obj_const) ? obj_const[kind] : "NONE", flags, len, lenf
	printf "\t    offsetof(struct %s_%s, %s) },\n", struct, name[i], n
}

function messages_c(i, j, has_reply)
{
	banner("")
	print "#include \"protocol/messages.h\"\n\n#include <stddef.h>\n"
	for (i = 1; i <= count; i++) {
		if (!travels(i))
			continue
		if (fields[i]) {
			printf "static const struct field fields_%s[] = {\n", name[i]
			for (j = 1; j <= fields[i]; j++)
				field_line(i, j, "msg", f_kind[i, j], f_name[i, j])
			print "};"
		}
		has_reply = outs[i] || class[i] == "sync"
		if (has_reply) {
			printf "static const struct field reply_%s[] = {\n", name[i]
			printf "\t{ \"status\", FIELD_I32, OBJ_NONE, 0, 0, -1,\n"
			printf "\t    offsetof(struct reply_%s, status) },\n", name[i]
			for (j = 1; j <= outs[i]; j++)
				field_line(i, j, "reply", out_kind[i, j],
				    out_name[i, j])
			print "};"
		}
		printf "const struct message desc_%s = {\n", name[i]
		printf "\t.name = \"%s\", .number = %d,\n", name[i], number[i]
		printf "\t.call_class = CALL_%s,\n", toupper(class[i])
		printf "\t.size = sizeof(struct msg_%s),\n", name[i]
		if (fields[i])
			printf "\t.fields = fields_%s, .field_count = %d,\n",
			    name[i], fields[i]
		if (has_reply) {
			printf "\t.reply = reply_%s, .reply_count = %d,\n",
			    name[i], outs[i] + 1
			printf "\t.reply_size = sizeof(struct reply_%s),\n", name[i]
		}
		print "};\n"
	}
	print "static const struct message *const messages[] = {"
	for (i = 1; i <= count; i++)
		if (travels(i) && type[i] != "record")
			printf "\t[MSG_%s] = &desc_%s,\n", name[i], name[i]
	print "};\n\nconst struct message *const message_list[] = {"
	for (i = 1; i <= count; i++)
		if (travels(i))
			printf "\t&desc_%s,\n", name[i]
	print "};\nconst unsigned message_list_count ="
	print "    sizeof(message_list) / sizeof(message_list[0]);"
	print "\nconst struct message *\nmessage_find(unsigned number)\n{"
	print "\tif (number >= sizeof(messages) / sizeof(messages[0]))"
	print "\t\treturn NULL;\n\treturn messages[number];\n}"
}

function info_h(o)
{
	banner("VGPU_PROTOCOL_INFO_H")
	print "#include <stdint.h>\n"
	print "/* Who answers a query: the host's bytes, the client, a handle. */"
	print "enum info_mode { INFO_SHADOW, INFO_STRINGS, INFO_LOCAL,\n    INFO_HANDLE, INFO_OWN };\n"
	print "struct info_param {\n\tuint32_t param;\n\tconst char *name;"
	print "\tint type;\t/* enum info_mode */\n};\n"
	for (o in infos) {
		printf "extern const struct info_param info_%s[];\n", o
		printf "extern const unsigned info_%s_count;\n", o
	}
	print "\n#endif"
}

function info_c(o, i)
{
	banner("")
	print "#include \"protocol/info.h\"\n"
	for (o in infos) {
		printf "const struct info_param info_%s[] = {\n", o
		for (i = 1; i <= infos[o]; i++)
			printf "\t{ %s, \"%s\", INFO_%s },\n", info_value[o, i],
			    info_name[o, i], info_mode[o, i]
		printf "};\nconst unsigned info_%s_count = %d;\n\n", o, infos[o]
	}
}

function extensions_h(i)
{
	banner("VGPU_PROTOCOL_EXTENSIONS_H")
	print "#include <stdbool.h>\n#include <stdint.h>\n\n" \
	    "/* Functions of vendors' extensions that the host calls. */\n" \
	    "enum vendor_function {"
	for (i = 1; i <= functions; i++)
		printf "\tFUNCTION_%s,\n", function_name[i]
	print "\tFUNCTION_COUNT\n};\n\nstruct extension_function {\n" \
	    "\tconst char *name;\n\tconst char *extension;\n};\n\n" \
	    "/* In the order of the enum; the last one's name is NULL. */\n" \
	    "extern const struct extension_function extension_functions[];\n\n" \
	    "/* A carried extension; a final * stands for any rest. */\n" \
	    "struct extension {\n\tconst char *name;\n" \
	    "\tbool own;\t\t/* vgpu has it, whatever the vendor has */\n" \
	    "\tuint32_t version;\t/* of an own one */\n};\n\n" \
	    "extern const struct extension extension_list[];\n" \
	    "extern const unsigned extension_count;\n\n#endif"
}

function extensions_c(i, v)
{
	banner("")
	print "#include \"protocol/extensions.h\"\n\n#include <stddef.h>\n"
	print "const struct extension_function extension_functions[] = {"
	for (i = 1; i <= functions; i++)
		printf "\t{ \"%s\", \"%s\" },\n", function_name[i],
		    function_ext[i]
	print "\t{ NULL, NULL },\n};\n"
	print "const struct extension extension_list[] = {"
	for (i = 1; i <= exts; i++) {
		split(ext_version[ext_name[i]] "..", v, ".")
		printf "\t{ \"%s\", %s, %.0f },\n", ext_name[i],
		    ext_kind[ext_name[i]] == "own" ? "true" : "false",
		    v[1] * 4194304 + v[2] * 4096 + v[3]
	}
	print "};\nconst unsigned extension_count ="
	print "    sizeof(extension_list) / sizeof(extension_list[0]);"
}

# Everything that crosses the network, one line an item; only ever appended to.
function lock(i, j)
{
	for (i = 1; i <= count; i++) {
		if (!travels(i))
			continue
		printf "%s %s %s:", type[i], name[i],
		    type[i] == "record" ? "-" : number[i]
		for (j = 1; j <= fields[i]; j++)
			printf " %s%s", f_kind[i, j],
			    f_len[i, j] == "" ? "" : "/" f_len[i, j]
		for (j = 1; j <= outs[i]; j++)
			printf " >%s", out_kind[i, j]
		print ""
	}
}

# ---- man/ --------------------------------------------------------------

function crosses(i)
{
	if (i in via) return "part of " via[i]
	if (class[i] == "local") return "nothing"
	return class[i] == "async" ? "one message" : "message and reply"
}

function calls_mdoc(i)
{
	print ".\\\" Made by protocol/gen.awk from opencl.def."
	print ".Bl -column \"clCreateProgramWithBuiltInKernels\" \"since\" \"crosses\""
	print ".It Sy call Ta Sy since Ta Sy crosses the network as"
	for (i = 1; i <= count; i++)
		if (type[i] == "call" && !(since[i] in ext_kind))
			printf ".It Fn %s Ta %s Ta %s\n", name[i], since[i],
			    crosses(i)
	print ".El"
}

function extensions_mdoc(i, j, how)
{
	how["kernels"] = "kernels"
	how["queries"] = "queries and properties"
	how["calls"] = "calls"
	how["own"] = "vgpu's own, version "
	print ".\\\" Made by protocol/gen.awk from opencl.def."
	print ".Bl -column \"cl_khr_command_buffer_mutable_dispatch\" \"what\""
	print ".It Sy extension or call Ta Sy what it is, or how it crosses"
	for (i = 1; i <= exts; i++) {
		printf ".It Li %s Ta %s%s\n", ext_name[i],
		    how[ext_kind[ext_name[i]]], ext_version[ext_name[i]]
		for (j = 1; ext_calls[ext_name[i]] && j <= count; j++)
			if (since[j] == ext_name[i])
				printf ".It \\ \\ Fn %s Ta %s\n", name[j],
				    crosses(j)
	}
	print ".El"
	if (!hiddens)
		return
	print ".Pp\nDevices are shown without these, whatever their vendor has:"
	print ".Bl -column \"cl_intel_device_side_avc_motion_estimation\" \"why\""
	print ".It Sy extension Ta Sy why"
	for (i = 1; i <= hiddens; i++)
		printf ".It Li %s Ta %s\n", hidden[i], why[i]
	print ".El"
}
