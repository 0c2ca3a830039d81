# SPDX-License-Identifier: ISC
#
# pyopencl - the tests in the source package of the version that is installed.
# PYOPENCL_TESTS names only some of its files: most calls are in test_wrapper.py,
# and most of the time goes into the kernels of test_array.py.

python=${APPS_PY:-python3}

# Fetched once, into the build folder or where outputs are kept.
pyopencl_source() {
	version=$("$python" -c 'if True:
		from importlib import metadata
		print(metadata.version("pyopencl"))' 2>/dev/null) || return 1
	source=${APPS_SRC:-$(dirname "$out")/pyopencl-source-$version}/pyopencl
	[ -d "$source/test" ] && return 0
	mkdir -p "$source.new" &&
	    "$python" -m pip download -q --no-deps --no-binary pyopencl \
		-d "$source.new" "pyopencl==$version" >"$kept/download.log" 2>&1 &&
	    tar -C "$source.new" --strip-components=1 \
		-xzf "$source.new/pyopencl-$version.tar.gz" &&
	    mv "$source.new" "$source"
}

# pytest's outcomes; names of devices are not compared.
outcomes() {
	sed -n -E 's/^([^ ]+::.*) (PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS)( \(.*\))? *\[ *[0-9]+%\]$/\1	\2/p' |
	    sed -E 's/<.*>//' | sort -s -k 1,1 | numbered
}

# tests NAME HOW: run them natively or through vgpu.
tests() {
	# shellcheck disable=SC2086
	"$2" sh -c 'cd "$1" && shift && exec "$@"' sh "$source/test" \
	    "$python" -m pytest -p no:cacheprovider --timeout 900 -v \
	    ${PYOPENCL_TESTS:-.} \
	    >"$kept/$1.log" 2>"$kept/$1.err" || :
	outcomes <"$kept/$1.log" >"$1"
}

if pyopencl_source && "$python" -c 'import pytest_timeout'; then
	limit=3600
	tests native natively
	tests vgpu through_vgpu
	[ -s native ] || result fail pyopencl "no outcomes natively"
	compare native vgpu good='^(PASSED|XFAIL|XPASS)$' skips='^SKIPPED$'
else
	skip "no source package of pyopencl, or no pytest"
fi
