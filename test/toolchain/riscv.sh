#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tools for RISC-V cores, where they are built: the compiler uses the extensions that the cores have, and finds the
# C library's headers and code wherever it is called. The library is small and copies whole words.
set -u
toolchain=$(cd "$(dirname "$0")/../../toolchain" && pwd)
bin=$("$toolchain/where" riscv 2>/dev/null) || { echo "skipped: no riscv32-elf tools; make chip builds them"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "riscv.sh: $*"
    failures=$((failures + 1))
}

cat >program.c <<'C'
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#undef errno
int errno;
double sum(double a, double b, double c) {
    return a * b + c;
}
int count(_Atomic int *word) {
    return atomic_fetch_add(word, 1);
}
static char memory[4096];
void *_sbrk(int bytes) {
    static char *at = memory;
    return (at += bytes) - bytes;
}
int _write(int file, const void *bytes, int size) {
    return file > 0 && bytes ? size : -1;
}
int _read(int file, void *bytes, int size) {
    return file < 0 && bytes ? size : 0;
}
int _close(int file) {
    return file;
}
int _lseek(int file, int offset, int from) {
    return file + offset + from;
}
int _fstat(int file, struct stat *status) {
    status->st_mode = S_IFCHR;
    return file < 0;
}
int _isatty(int file) {
    return file >= 0;
}
void _exit(int status) {
    for (;;) memory[0] = (char)status;
}
int main(int argc, char **argv) {
    char *text = malloc(strlen(argv[0]) + 1);
    memcpy(text, argv[0], strlen(argv[0]) + 1);
    printf("%s %d %u\n", text, count((_Atomic int *)&argc), (unsigned)sqrt(sum(argc, argc, 1)));
    exit(0);
}
C
"$bin/riscv32-elf-gcc" -O2 -Wall -Wextra -Werror -nostartfiles -nostdlib program.c -Wl,--gc-sections -Wl,-e,main -lm -lc \
    -lgcc -o program.elf 2>err || fail "program.c: $(cat err)"
[ "$("$bin/riscv32-elf-readelf" -h program.elf | sed -n 's/ *Class: *//p')" = ELF32 ] || fail "not a program of 32 bits"

"$bin/riscv32-elf-objdump" -d --no-show-raw-insn program.elf >program.s
for instruction in fmadd.d amoadd.w fsqrt.d; do
    grep -Eq "[[:space:]]$instruction" program.s || fail "no $instruction in program.elf"
done
awk '/^[0-9a-f]+ <memcpy>:/ { inside = 1 } /^$/ { inside = 0 } inside && /[ \t](c\.)?lw[ \t]/ { found = 1 } END { exit !found }' program.s ||
    fail "memcpy does not load words"

# The C++ library, which is built if its sources are found.
if [ -x "$bin/riscv32-elf-g++" ]; then
    cat >library.cpp <<'C'
#include <chrono>
#include <iostream>
#include <mutex>
#include <thread>
#include <vector>
#if !defined _GLIBCXX_HAS_GTHREADS || !defined _GLIBCXX_HAVE_TLS || !defined _GLIBCXX_USE_CLOCK_MONOTONIC
#error "no threads, no thread-local variables or no clock"
#endif
std::once_flag flag;
int main() {
    std::call_once(flag, [] { std::cout << std::vector<int>(3).at(4) << std::endl; });
}
C
    for standard in 11 20; do
        "$bin/riscv32-elf-g++" -std=c++$standard -O2 -Wall -Wextra -Werror -c library.cpp 2>err || fail "library.cpp: $(cat err)"
    done
    "$bin/riscv32-elf-nm" -C "$bin/../riscv32-elf/lib/libstdc++.a" >names 2>err
    grep -q ' B std::cout$' names || fail "no std::cout in libstdc++"
    ! grep -q emutls names || fail "libstdc++ does not use the cores' thread pointer"
    ! grep -q ' [BDb] .*atomic_mutex' names || fail "libstdc++ takes a lock for atomic additions"
fi

# Without the compiler of the distribution the tools are not usable, and `where` says so.
mkdir bin
for program in bash sh dirname readlink sed tr cksum; do ln -s "$(command -v $program)" bin; done
PATH=$work/bin "$toolchain/where" riscv >where 2>&1 && fail "tools without a compiler: $(cat where)"
grep -q "no riscv32-elf tools that run" where || fail "tools without a compiler: $(cat where)"

# Twice what it takes today means that a large part of the library came along.
bytes=$("$bin/riscv32-elf-size" program.elf | awk 'NR == 2 { print $1 + $2 }')
[ "$bytes" -lt 12000 ] || fail "program.elf has $bytes bytes of code and data"
echo "program.elf: $bytes bytes"
[ "$failures" -eq 0 ]
