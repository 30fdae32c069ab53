#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# C++ under MPPA's names: a master and clusters; the headers in C++11 and C++20; the size of a program with <iostream>;
# exceptions that nobody catches; a folder of tools without the C++ library.
# Usage: cxx.sh FOLDER, which has oshcc and oshrun, SOURCES
. "$(dirname "$0")/common.sh"
here=$2/test/mppa_machine
headers=$2/include
run() { # command's words behind oshrun's options; the output is in `out`, the exit code in $code
    code=0
    oshrun --machine mppa --quiet --max-cycles 60000000 "$@" >out 2>&1 || code=$?
}

for standard in 11 20; do
    oshc++ --machine mppa --mppa=io -std=c++$standard -Wall -Wextra -Werror -O2 "$here/cxx_io.cpp" -o cxx_io
    oshc++ --machine mppa --mppa=cluster -std=c++$standard -Wall -Wextra -Werror -O2 -fopenmp "$here/cxx_cluster.cpp" -o cxx_cluster
    run ./cxx_io 3
    [ "$code" -eq 0 ] && grep -qx 'code 0' out && [ "$(grep -c '^cluster [012] of 16 threads$' out)" -eq 3 ] ||
        fail "C++$standard: exit code $code: $(cat out)"
    (
        cd "$headers"
        for header in *.h; do echo "#include <$header>"; done
        cd mppa
        for header in *.h */*.h; do echo "#include <$header>"; done
    ) >headers.cpp
    oshc++ --machine mppa --mppa=io -std=c++$standard -Wall -Wextra -Werror -fsyntax-only headers.cpp
done
run ./cxx_io
[ "$code" -eq 3 ] && grep -qx "wrong: usage: cxx_io CLUSTERS" out || fail "an exception: exit code $code: $(cat out)"

# A program with <iostream> leaves most of a cluster's 2 MB free.
printf '#include <iostream>\nint main() { std::cout << 0.5 << std::endl; }\n' >hello.cpp
oshc++ --machine mppa -O2 hello.cpp -o hello.elf
run -n 1 hello.elf
[ "$code" -eq 0 ] && [ "$(cat out)" = 0.5 ] || fail "hello: exit code $code: $(cat out)"
size=$(size hello.elf | awk 'NR == 2 { print $1 + $2 }')
[ "$size" -lt 400000 ] || fail "hello has $size bytes of code and data"
# Without the streams a program is small.
printf '#include <vector>\nint main(int argc, char **) { std::vector<int> v(argc, 3); return v[0] - 3; }\n' >vector.cpp
oshc++ --machine mppa -O2 vector.cpp -o vector.elf
run -n 1 vector.elf
[ "$code" -eq 0 ] || fail "vector: exit code $code: $(cat out)"
size=$(size vector.elf | awk 'NR == 2 { print $1 + $2 }')
[ "$size" -lt 150000 ] || fail "vector has $size bytes of code and data"

printf '#include <stdexcept>\nint main() { throw std::range_error("too far"); }\n' >uncaught.cpp
oshc++ --machine mppa uncaught.cpp -o uncaught.elf
run -n 1 uncaught.elf
[ "$code" -eq 134 ] && grep -q 'what():  too far' out || fail "an exception that nobody catches: exit code $code: $(cat out)"

printf 'extern "C" int puts(const char *);\nint main() { puts("C"); }\n' >named.c # oshc++ compiles each file as C++
oshc++ --machine mppa named.c -o named.elf
run -n 1 named.elf
[ "$(cat out)" = C ] || fail "a file with the name of C: $(cat out)"

# Tools that were built without the C++ library have no g++.
compiler=$(oshcc --machine mppa -showme:command)
ln -s "$compiler" x-gcc
code=0
SKERRY_RISCV_CC=$work/x-gcc oshc++ --machine mppa hello.cpp -o none.elf >out 2>&1 || code=$?
[ "$code" -eq 2 ] && [ "$(cat out)" = "oshc++: --machine mppa: there is no C++ library for its cores, because $work/x-g++ does not exist; make chip builds it" ] ||
    fail "no library: exit code $code: $(cat out)"
