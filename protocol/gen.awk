# SPDX-License-Identifier: ISC
#
# gen.awk - turn opencl.def and session.def into C.
#
#	awk -f gen.awk -v out=TARGET opencl.def session.def
#
# TARGET: messages_h messages_c info_h info_c (protocol/), icd_h icd_c
# (icd-vgpu/), host_h host_c (hostd/), calls_mdoc (man/), lock.  The form of
# the input is told at the top of opencl.def.  POSIX awk.

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
	count = 0	# of calls, messages and records
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
$1 == "body" { body[count] = $2; next }
{ fail("unknown word \"" $1 "\"") }

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
	else if (out == "icd_h") icd_h()
	else if (out == "icd_c") icd_c()
	else if (out == "host_h") host_h()
	else if (out == "host_c") host_c()
	else if (out == "calls_mdoc") calls_mdoc()
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
	print "enum info_mode { INFO_SHADOW, INFO_LOCAL, INFO_HANDLE };\n"
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

# ---- icd-vgpu/ ---------------------------------------------------------

function prototype(i, end, j)
{
	printf "%s%sicd_%s(", ret[i], ret[i] ~ /\*$/ ? "" : " ", name[i]
	if (args[i] == 0)
		printf "void"
	for (j = 1; j <= args[i]; j++)
		printf "%s%s%s%s", (j > 1 ? ", " : ""), arg_type[i, j],
		    arg_type[i, j] ~ /\*$/ ? "" : " ", arg_name[i, j]
	print ")" end
}

# clGetProgramBuildInfo -> program_build
function query_name(n)
{
	sub(/^clGet/, "", n)
	sub(/Info$/, "", n)
	gsub(/[A-Z]/, "_&", n)
	return tolower(substr(n, 2))
}

function query_extra(i, typed, j, text)
{
	for (j = 2; j <= query_args[i]; j++)
		text = text ", " (typed ? arg_type[i, j] " " : "") arg_name[i, j]
	return text
}

function icd_h(i)
{
	banner("VGPU_ICD_CALLS_H")
	print "#include \"icd-vgpu/callback.h\""
	print "#include \"icd-vgpu/object.h\"\n"
	print "extern const struct _cl_icd_dispatch icd_dispatch;\n"
	print "/* A call's function by name; NULL: none. */"
	print "void *icd_function(const char *name);\n"
	for (i = 1; i <= count; i++)
		if (type[i] == "call")
			prototype(i, ";")
	print ""
	for (i = 1; i <= count; i++)
		if (body[i] == "info")
			printf "cl_int query_%s(struct object *%s, cl_uint, " \
			    "struct info_out *);\n", query_name(name[i]),
			    query_extra(i, 1)
	print "\n#endif"
}

function icd_body(i, o)
{
	o = arg_name[i, 1]
	prototype(i, "")
	printf "{\n\tstruct object *o = object_check(%s, OBJ_%s);\n\n", o,
	    obj_const[arg_object[i, 1]]
	printf "\tif (o == NULL)\n\t\treturn %s;\n", obj_error[arg_object[i, 1]]
	if (body[i] == "info")
		printf "\treturn query_%s(o%s, param_name,\n" \
		    "\t    &(struct info_out){ param_value_size, param_value,\n" \
		    "\t    param_value_size_ret });\n", query_name(name[i]),
		    query_extra(i, 0)
	else
		printf "\treturn object_%s(o);\n", body[i]
	print "}\n"
}

function icd_c(i)
{
	banner("")
	print "#include \"icd-vgpu/calls.h\"\n\n#include <string.h>\n"
	for (i = 1; i <= count; i++)
		if (body[i] ~ /^(info|retain|release)$/)
			icd_body(i)
	print "static cl_int\nabsent_int(void)\n{\n\treturn CL_INVALID_OPERATION;\n}\n"
	print "static void *\nabsent_handle(void)\n{\n\treturn NULL;\n}\n"
	print "const struct _cl_icd_dispatch icd_dispatch = {"
	for (i = 1; i <= count; i++)
		if (type[i] == "call")
			printf "\t.%s = icd_%s,\n", name[i], name[i]
	for (i = 1; i <= absents; i++)
		printf "\t.%s = (void *)absent_%s,\n", absent_name[i],
		    absent_kind[i]
	print "};\n"
	print "static const struct {\n\tconst char *name;\n\tvoid *function;"
	print "} functions[] = {"
	for (i = 1; i <= count; i++)
		if (type[i] == "call")
			printf "\t{ \"%s\", (void *)icd_%s },\n", name[i], name[i]
	print "};\n"
	print "void *\nicd_function(const char *name)\n{\n\tsize_t i;\n"
	print "\tfor (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)"
	print "\t\tif (strcmp(name, functions[i].name) == 0)"
	print "\t\t\treturn functions[i].function;\n\treturn NULL;\n}"
}

# ---- hostd/ ------------------------------------------------------------

function host_handles(i)
{
	return travels(i) && type[i] != "record" && sender[i] != "host"
}

function host_h(i)
{
	banner("VGPU_HOSTD_CALLS_H")
	print "#include \"protocol/messages.h\"\n"
	print "struct serve;\nstruct call;\n"
	print "/* Carries out one call; the message's ids are resolved. */"
	print "typedef void exec_function(struct serve *, struct call *, void *);\n"
	print "/* NULL: a client may not send this. */"
	print "exec_function *exec_find(unsigned number);\n"
	for (i = 1; i <= count; i++)
		if (host_handles(i))
			printf "void exec_%s(struct serve *, struct call *, " \
			    "struct msg_%s *);\n", name[i], name[i]
	print "\n#endif"
}

function host_c(i)
{
	banner("")
	print "#include \"hostd/calls.h\"\n\n#include <stddef.h>\n"
	for (i = 1; i <= count; i++)
		if (host_handles(i))
			printf "static void\ncall_%s(struct serve *s, " \
			    "struct call *c, void *m)\n{\n" \
			    "\texec_%s(s, c, m);\n}\n\n", name[i], name[i]
	print "static exec_function *const functions[] = {"
	for (i = 1; i <= count; i++)
		if (host_handles(i))
			printf "\t[MSG_%s] = call_%s,\n", name[i], name[i]
	print "};\n\nexec_function *\nexec_find(unsigned number)\n{"
	print "\tif (number >= sizeof(functions) / sizeof(functions[0]))"
	print "\t\treturn NULL;\n\treturn functions[number];\n}"
}

# ---- man/ --------------------------------------------------------------

function calls_mdoc(i, how)
{
	print ".\\\" Made by protocol/gen.awk from opencl.def."
	print ".Bl -column \"clCreateProgramWithBuiltInKernels\" \"since\" \"crosses\""
	print ".It Sy call Ta Sy since Ta Sy crosses the network as"
	for (i = 1; i <= count; i++) {
		if (type[i] != "call")
			continue
		how = class[i] == "local" ? "nothing" : \
		    class[i] == "async" ? "one message" : "message and reply"
		if (i in via)
			how = "part of " via[i]
		printf ".It Fn %s Ta %s Ta %s\n", name[i], since[i], how
	}
	print ".El"
}
