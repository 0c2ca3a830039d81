# SPDX-License-Identifier: ISC
#
# vgpu.m4 - dependencies that are collected before they are refused, and
# options that say yes or no.

# VGPU_ENABLE(NAME, HELP): vgpu_enable_NAME is yes or no, no by default.
AC_DEFUN([VGPU_ENABLE],
[AC_ARG_ENABLE([$1], [AS_HELP_STRING([--enable-$1], [$2])],
    [AS_CASE([$enableval], [yes|no], [],
	[AC_MSG_ERROR([--enable-$1=$enableval: expected yes or no])])],
    [enable_$1=no])
vgpu_enable_$1=$enable_$1])

# VGPU_MISSING(WHAT, PACKAGE): remember what to refuse.
AC_DEFUN([VGPU_MISSING],
[vgpu_missing="$vgpu_missing
  $1: apt-get install $2"
vgpu_missing_packages="$vgpu_missing_packages $2"])

# VGPU_NEED_PROGRAM(VARIABLE, NAMES, WHAT, PACKAGE)
AC_DEFUN([VGPU_NEED_PROGRAM],
[AC_CHECK_PROGS([$1], [$2])
AS_IF([test -z "$$1"], [VGPU_MISSING([$3], [$4])])])

# VGPU_NEED_LIBRARY(VARIABLE, MODULE, PACKAGE)
AC_DEFUN([VGPU_NEED_LIBRARY],
[PKG_CHECK_MODULES([$1], [$2], [], [VGPU_MISSING([$2], [$3])])])

# VGPU_REFUSE_IF_MISSING: end here when anything was missing.
AC_DEFUN([VGPU_REFUSE_IF_MISSING],
[AS_IF([test -n "$vgpu_missing"],
    [AC_MSG_ERROR([missing on this machine:$vgpu_missing
All at once: apt-get install$vgpu_missing_packages])])])

# VGPU_TRY_CFLAG(FLAG): add FLAG to VGPU_CFLAGS where the compiler knows it.
AC_DEFUN([VGPU_TRY_CFLAG],
[AC_MSG_CHECKING([whether $CC accepts $1])
vgpu_saved_cflags=$CFLAGS
CFLAGS="$CFLAGS -Werror $1"
AC_COMPILE_IFELSE([AC_LANG_PROGRAM()],
    [AC_MSG_RESULT([yes])
    VGPU_CFLAGS="$VGPU_CFLAGS $1"],
    [AC_MSG_RESULT([no])])
CFLAGS=$vgpu_saved_cflags])

# VGPU_SANITIZE(FLAGS): compile and link with a sanitizer, or say why not.
AC_DEFUN([VGPU_SANITIZE],
[AC_MSG_CHECKING([whether $CC links with $1])
vgpu_saved_cflags=$CFLAGS
CFLAGS="$CFLAGS $1"
AC_LINK_IFELSE([AC_LANG_PROGRAM()], [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
    AC_MSG_ERROR([$CC has no runtime for $1])])
CFLAGS=$vgpu_saved_cflags
VGPU_CFLAGS="$VGPU_CFLAGS $1 -fno-omit-frame-pointer"
VGPU_LDFLAGS="$VGPU_LDFLAGS $1"])
