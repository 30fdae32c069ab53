# SPDX-License-Identifier: BSD-3-Clause
# Read by the tests here. try_installation PREFIX: a user's programs build against what lies there, by every way there is,
# and run.
set -eu
: "${SKERRY_BUILD:?must name the build folder}"
here=$(cd "$(dirname "$0")" && pwd)
source_tree=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "$(basename "$0"): $*" >&2
    exit 1
}

# Runs a program with four PEs: its output is one line.
runs() {
    output=$("$prefix/bin/oshrun" -n 4 --timeout 60 "$@") || fail "$*: exit code $?"
    [ "$output" = "ring of 4: right" ] || fail "$*: said \"$output\""
}

try_wrappers() {
    "$prefix/bin/oshcc" -Wall -Wextra -pedantic -std=c11 -O2 "$here/ring.c" -o ring
    runs ./ring
    "$prefix/bin/oshc++" -Wall -Wextra -std=c++17 -O2 "$here/ring.cpp" -o ring_cpp
    runs ./ring_cpp
    for name in oshcxx oshCC; do
        "$prefix/bin/$name" -std=c++17 -O2 "$here/ring.cpp" -o "ring_$name"
        runs "./ring_$name"
    done
    "$prefix/bin/oshcc" --check "$here/ring.c" -o ring_check
    runs ./ring_check
    "$prefix/bin/oshcc" --no-inline -O2 -c "$here/ring.c" -o ring.o
    "$prefix/bin/oshcc" ring.o -o ring_calls
    runs ./ring_calls
    "$prefix/bin/oshcc" -static "$here/ring.c" -o ring_static
    runs ./ring_static
    "$prefix/bin/oshcc" --check -static "$here/ring.c" -o ring_check_static
    runs ./ring_check_static
    ./ring >alone || fail "a program without the launcher: exit code $?"
    [ "$(cat alone)" = "ring of 1: right" ] || fail "a program without the launcher said \"$(cat alone)\""
    mkdir make
    cp "$here/ring.c" make
    make -s -C make CC="'$prefix/bin/oshcc'" ring
    runs make/ring
}

try_cmake() {
    cmake -S "$here/project" -B project -DCMAKE_PREFIX_PATH="$prefix" >configure.log 2>&1 || fail "cmake: $(cat configure.log)"
    cmake --build project >build.log 2>&1 || fail "cmake --build: $(cat build.log)"
    (cd project && ctest --output-on-failure) >ctest.log 2>&1 || fail "ctest of a user's project: $(cat ctest.log)"
}

try_pkg_config() {
    command -v pkg-config >/dev/null || return 0
    PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name skerry.pc)")
    export PKG_CONFIG_PATH
    library=$(dirname "$PKG_CONFIG_PATH")
    eval "\"\${CC:-cc}\" -O2 \"\$here/ring.c\" -o ring_pc $(pkg-config --cflags --libs skerry) -Wl,-rpath,\"\$library\""
    runs ./ring_pc
}

# The project that a reader of the guide starts from.
try_example_project() {
    cp -r "$source_tree/examples/user-project" started
    for target in count count-pkg-config; do
        PATH=$prefix/bin:$PATH make -s -C started "$target" || fail "make $target in examples/user-project"
        "$prefix/bin/oshrun" -n 4 --timeout 60 "started/$target" >/dev/null || fail "examples/user-project's $target: $?"
    done
}

# A program runs on both libraries of the OpenMP runtime.
try_openmp() {
    "${CC:-cc}" -fopenmp "$here/parallel.c" -o parallel
    OMP_NUM_THREADS=3 "$prefix/bin/skerry" omp ./parallel || fail "skerry omp: exit code $?"
    OMP_NUM_THREADS=3 "$prefix/bin/skerry" omp --variant parallel=queue,tasks=mrq ./parallel 2>err || fail "skerry omp --variant: exit code $?"
    [ ! -s err ] || fail "skerry omp --variant: $(cat err)"
    for folder in omp omp-variants; do
        [ "$(find "$prefix" -name 'libgomp.so.1' -path "*/skerry/$folder/*" | wc -l)" -eq 1 ] || fail "no libgomp.so.1 in skerry/$folder"
    done
}

try_crash_place() {
    [ -x "$prefix/libexec/skerry/skerry-where" ] || return 0
    "$prefix/bin/oshcc" -g -O1 "$here/crash.c" -o crash
    if "$prefix/bin/oshrun" -n 2 --timeout 60 ./crash 2>err; then fail "a crash went unnoticed"; fi
    grep -q 'PE 1.*write_nowhere.*crash\.c:6' err || fail "the crash's place is not named: $(cat err)"
}

# Each installed library and program of FILES has its debug information below FOLDER, under its build ID: debug_is_below FOLDER FILE...
debug_is_below() {
    folder=$1
    shift
    for file do
        id=$(readelf -n "$file" | sed -n 's/.*Build ID: //p')
        [ -n "$id" ] || fail "$file has no build ID"
        debug=$folder/.build-id/$(echo "$id" | cut -c 1-2)/$(echo "$id" | cut -c 3-).debug
        [ -f "$debug" ] || fail "no $debug for $file"
        readelf -S "$debug" | grep -q '\.debug_info' || fail "$debug has no debug information"
    done
}

# No text that is installed knows where it was built, or where it was installed first.
try_places() {
    for place in "$source_tree" "$(cd "$SKERRY_BUILD" && pwd)" "$@"; do
        if grep -rIlF -e "$place" "$prefix" >known; then fail "$place is mentioned in $(cat known)"; fi
    done
}

# Everything that the headers include is there, under each name a program may use.
try_headers() {
    for header in shmem.h shmemx.h pshmem.h mpp/shmem.h mpp/shmemx.h; do
        echo "#include <$header>" | "$prefix/bin/oshcc" -std=c11 -fsyntax-only -x c - || fail "<$header>"
        echo "#include <$header>" | "$prefix/bin/oshc++" -std=c++17 -fsyntax-only -x c++ - || fail "<$header> in C++"
    done
}

try_installation() {
    prefix=$1
    shift
    try_places "$@"
    try_headers
    try_wrappers
    try_pkg_config
    try_cmake
    case $prefix in *' '*) ;; *) try_example_project ;; esac # make splits at blanks
    try_openmp
    try_crash_place
}
