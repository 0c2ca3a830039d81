# SPDX-License-Identifier: ISC
#
# What conformance/queries prints natively, made into what it prints through
# vgpu: every difference, with its reason.

# The platform is vgpu's own.
/^platform /d

# A native kernel is a function of the client, and the device is elsewhere.
/^device 0x1029 /s/ 03/ 01/

# Binaries that a program keeps under this name are not the vendor's own.
/^device 0x102d /s/"$/ vGPU-HASH"/

# Memory of client and host is not one memory: it is shared without fine grain,
/^device 0x1053 /s/ 0[0-9a-f]/ 01/
# without concurrent access,
/^device 0x419[023] /s/ 0f/ 03/
# and what malloc gives is not shared at all.
/^device 0x4194 /s/ 0f/ 00/

# Kernels would run in the program's own thread.
/ cl_intel_exec_by_local_thread/d

# Numbers without a name in any public header or specification.
/^device 0x1185 /d
/^device 0x200[8b] /d
