# SPDX-License-Identifier: ISC
#
# gen_calls.awk - the part of gen.awk that writes the client's prototypes,
# simple functions and dispatch table, and the host's.

# ---- icd-vgpu/ ---------------------------------------------------------

function prototype(i, end, prefix, j)
{
	printf "%s%s%s_%s(", ret[i], ret[i] ~ /\*$/ ? "" : " ",
	    prefix == "" ? "icd" : prefix, name[i]
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
	sub(/Info(KHR|EXT|INTEL)?$/, "", n)
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
	print "#include \"icd-vgpu/object.h\""
	print "#include \"protocol/khr.h\"\n"
	print "/* What handles carry; the second one counts for a summary. */"
	print "extern const struct _cl_icd_dispatch icd_dispatch;"
	print "extern const struct _cl_icd_dispatch icd_dispatch_summary;\n"
	print "/* A call's function by name; NULL: none.  It belongs to *extension,"
	print "   which is NULL for a function of OpenCL's core. */"
	print "void *icd_function(const char *name, const char **extension);\n"
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

# The same call, counted.
function icd_counted(i, number, result, j)
{
	result = ret[i] == "void" ? "" : "result = "
	printf "static "
	prototype(i, "", "counted")
	print "{\n\tstruct summary_call c;"
	if (result != "")
		printf "\t%s result;\n", ret[i]
	printf "\n\tsummary_enter(&c, %d);\n\t%sicd_%s(", number, result,
	    name[i]
	for (j = 1; j <= args[i]; j++)
		printf "%s%s", (j > 1 ? ", " : ""), arg_name[i, j]
	printf ");\n\tsummary_leave(&c, %d);\n", number
	print (result != "" ? "\treturn result;\n" : "") "}\n"
}

function icd_counted_all(i, n)
{
	for (i = 1; i <= count; i++)
		if (type[i] == "call")
			icd_counted(i, ++n)
	print "const char *const summary_names[] = {\n\t\"\","
	for (i = 1; i <= count; i++)
		if (type[i] == "call")
			printf "\t\"%s\",\n", name[i]
	printf "};\n\nconst unsigned summary_count = %d;\n\n", n
}

function icd_dispatch(table, prefix, i)
{
	print "const struct _cl_icd_dispatch " table " = {"
	for (i = 1; i <= count; i++)
		if (type[i] == "call" && !(since[i] in ext_kind))
			printf "\t.%s = %s_%s,\n", name[i], prefix, name[i]
	for (i = 1; i <= slots; i++)
		printf "\t.%s = %s_%s,\n", slot[i], prefix, name[slot_of[i]]
	for (i = 1; i <= absents; i++)
		printf "\t.%s = (void *)absent_%s,\n", absent_name[i],
		    absent_kind[i]
	print "};\n"
}

function function_line(n, i)
{
	printf "\t{ \"%s\", (void *)icd_%s,\n\t    (void *)counted_%s, %s },\n",
	    n, name[i], name[i],
	    (since[i] in ext_kind) ? "\"" since[i] "\"" : "NULL"
}

function icd_c(i)
{
	banner("")
	print "#include \"icd-vgpu/calls.h\"\n\n#include <string.h>\n"
	print "#include \"icd-vgpu/summary.h\"\n#include \"icd-vgpu/trace.h\"\n"
	for (i = 1; i <= count; i++)
		if (body[i] ~ /^(info|retain|release)$/)
			icd_body(i)
	print "static cl_int\nabsent_int(void)\n{\n\treturn CL_INVALID_OPERATION;\n}\n\n" \
	    "static void *\nabsent_handle(void)\n{\n\treturn NULL;\n}\n"
	icd_counted_all()
	icd_dispatch("icd_dispatch", "icd")
	icd_dispatch("icd_dispatch_summary", "counted")
	print "static const struct {\n\tconst char *name;\n\tvoid *function;"
	print "\tvoid *counted;\n\tconst char *extension;\n} functions[] = {"
	for (i = 1; i <= count; i++)
		if (type[i] == "call")
			function_line(name[i], i)
	for (i = 1; i <= aliases; i++)
		function_line(alias[i], alias_of[i])
	print "};\n\nvoid *\nicd_function(const char *name, const char **extension)\n" \
	    "{\n\tsize_t i;\n\n" \
	    "\tfor (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {\n" \
	    "\t\tif (strcmp(name, functions[i].name) != 0)\n\t\t\tcontinue;\n" \
	    "\t\t*extension = functions[i].extension;\n" \
	    "\t\treturn trace_wants_summary() ? functions[i].counted :\n" \
	    "\t\t    functions[i].function;\n\t}\n\treturn NULL;\n}"
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
