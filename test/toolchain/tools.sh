#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tools, where they are built, make of C what the chip is fast at: double-word loads and stores, multiply-add, no change
# of mode in floating-point code, small calls. Their library keeps interrupts masked but where integers are multiplied.
set -u
toolchain=$(cd "$(dirname "$0")/../../toolchain" && pwd)
bin=$("$toolchain/where" 2>/dev/null) || { echo "skipped: no epiphany-elf tools; make chip builds them"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

fail() {
    echo "tools.sh: $*"
    failures=$((failures + 1))
}

cat >program.c <<'C'
#include <stdio.h>
float dot(const float *restrict a, const float *restrict b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}
void copy(long long *to, const long long *from) {
    *to = *from;
}
int main(void) {
    float a[2] = {3, 4};
    printf("%d\n", dot(a, a, 2) > 24.5f);
    return 0;
}
C
"$bin/epiphany-elf-gcc" -O2 -mfp-mode=round-nearest -mshort-calls -Wall -Wextra -Werror program.c -Wl,-Ttext=0x100 -o program.elf ||
    fail "program.c does not compile and link"
[ "$("$bin/epiphany-elf-readelf" -h program.elf | sed -n 's/ *Machine: *//p')" = "Adapteva EPIPHANY" ] ||
    fail "program.elf is for another machine"
"$bin/epiphany-elf-gcc" -O2 -mfp-mode=round-nearest -mshort-calls -c program.c -o program.o
"$bin/epiphany-elf-objdump" -d --no-show-raw-insn program.o >program.s
for instruction in fmadd ldrd strd bl; do
    grep -Eq "[[:space:]]$instruction(\.l)?[[:space:]]" program.s || fail "no $instruction in program.o"
done
for instruction in gie jalr; do
    if grep -Eq "[[:space:]]$instruction" program.s; then fail "$instruction in program.o"; fi
done

# What a program may call with interrupts masked must not unmask them.
libc=$("$bin/epiphany-elf-gcc" -print-file-name=libc.a)
for member in memcpy memmove memset memcmp strlen strcmp; do
    "$bin/epiphany-elf-objdump" -d --no-show-raw-insn "$libc" | awk -v name="<_$member>:" '
        $2 ~ /^<.*>:$/ { inside = $2 == name } inside && /[ \t]gie/ { found = 1 } END { exit found }' ||
        fail "$member unmasks interrupts"
done
[ "$failures" -eq 0 ]
