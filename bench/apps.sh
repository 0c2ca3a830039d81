#!/bin/sh
# SPDX-License-Identifier: ISC
#
# apps.sh - real programs for bench/run, each with little that is not OpenCL.
#
#	apps.sh list		names, and in one of how many rounds
#	apps.sh needs NAME	the program that NAME takes
#	apps.sh run NAME HOME	run it, with what it caches in HOME

set -eu

ff() {
	ffmpeg -hide_banner -loglevel error -nostdin \
	    -init_hw_device opencl=ocl -filter_hw_device ocl \
	    -f lavfi -i testsrc=s=320x240:r=10:d=1 \
	    -vf "format=yuv420p,hwupload,$1,hwdownload,format=yuv420p" \
	    -f null -
}

run_clinfo() {
	clinfo
}

run_clpeak() {
	clpeak --kernel-latency
}

run_clfft() {
	clFFT-client -x 1024 -b 16 -p 20
}

run_ffmpeg() {
	ff unsharp_opencl=lx=5:ly=5:la=1.5,avgblur_opencl=sizeX=3,sobel_opencl
}

# A hash of nothing, so that all candidates are tried; hashcat then says 1.
run_hashcat() {
	printf '%s\n' 1aa2dfc6a4ea6ab3fb2d0a7d1f4c3b7e >hashes
	hashcat -m 0 -O --backend-vector-width 1 -D 1,2,3 --potfile-disable \
	    --session bench --quiet -a 3 hashes '?l?l?l?l?d' || [ $? = 1 ]
}

run_gegl() {
	[ -f in.png ] || ffmpeg -hide_banner -loglevel error -nostdin -f lavfi \
	    -i testsrc=s=1280x960 -frames:v 1 in.png
	GEGL_USE_OPENCL=cpu gegl in.png -o out.ppm -- \
	    brightness-contrast contrast=1.2 pixelize size-x=8 size-y=8 \
	    levels in-low=0.2 color-temperature intended-temperature=5000
}

# Its own buffers, kernels and maps, on a picture like that of a camera.
run_opencv() {
	OPENCV_OPENCL_DEVICE=::0 "$python" - <<'END'
import cv2, numpy
cv2.ocl.setUseOpenCL(True)
assert cv2.ocl.haveOpenCL() and cv2.ocl.useOpenCL()
random = numpy.random.default_rng(6)
picture = random.integers(0, 255, (720, 1280, 3)).astype(numpy.uint8)
for i in range(20):
	u = cv2.cvtColor(cv2.UMat(picture), cv2.COLOR_BGR2GRAY)
	u = cv2.GaussianBlur(u, (7, 7), 1.5)
	u = cv2.Canny(cv2.resize(u, (640, 360)), 50, 150)
	assert cv2.countNonZero(u) > 0
END
}

run_pyopencl() {
	"$python" - <<'END'
import numpy
import pyopencl, pyopencl.array, pyopencl.clmath
device = pyopencl.get_platforms()[0].get_devices()[0]
queue = pyopencl.CommandQueue(pyopencl.Context([device]))
x = numpy.arange(100000, dtype=numpy.float32)
for i in range(50):
	y = pyopencl.clmath.sin(pyopencl.array.to_device(queue, x) * 2 + i)
	total = float(pyopencl.array.sum(y * y).get())
	assert abs(total - 50000) < 500
END
}

python=${APPS_PY-python3}

case ${1-} in
list)
	echo "clinfo 1
clpeak 3
clfft 1
ffmpeg 3
gegl 3
opencv 3
pyopencl 3
hashcat 5" ;;
needs)
	case ${2-} in
	clfft) echo clFFT-client ;;
	opencv | pyopencl)
		case ${2-} in opencv) module=cv2 ;; *) module=$2 ;; esac
		if "$python" -c "import $module" 2>/dev/null; then
			echo "$python"
		else
			echo "Python with $module"
		fi ;;
	*) echo "${2-}" ;;
	esac ;;
run)
	mkdir -p "$3"
	HOME=$3 XDG_CACHE_HOME=$3/.cache XDG_CONFIG_HOME=$3/.config
	XDG_DATA_HOME=$3/.local/share XDG_RUNTIME_DIR=$3 TMPDIR=$3
	export HOME XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME
	export XDG_RUNTIME_DIR TMPDIR
	cd "$3"
	"run_$2" ;;
*)
	sed -n '4,9s/^# \{0,1\}//p' "$0" >&2
	exit 2 ;;
esac
