#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tools, where they are built, make of C what the chip is fast at: double-word loads and stores, multiply-add, no
# change of mode in floating-point code. What their library is most used for is small and leaves interrupts masked.
set -u
folder=$(cd "$(dirname "$0")" && pwd)
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
float dot(const float *restrict a, const float *restrict b, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}
void copy(long long *to, const long long *from) {
    *to = *from;
}
float twice(float (*function)(float), float value) {
    return function(value) + dot(&value, &value, 1);
}
C
cat >calls.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    size_t length = strlen(argv[0]);
    char *text = malloc(length + 2);
    memset(text, argc, length + 1);
    memcpy(text, argv[0], length);
    memmove(text + 1, text, length);
    printf("%s %d %u\n", text, argc / 3, (unsigned)length % 7);
    int same = memcmp(text, argv[0], length) == 0;
    free(text);
    return same;
}
C
flags="-O2 -mfp-mode=round-nearest -mshort-calls -Wall -Wextra -Werror"
# shellcheck disable=SC2086
"$bin/epiphany-elf-gcc" $flags -c program.c -o program.o || fail "program.c does not compile"
# shellcheck disable=SC2086
"$bin/epiphany-elf-gcc" $flags calls.c -Wl,--gc-sections -Wl,-Ttext=0x100 -o calls.elf 2>err || fail "calls.c: $(cat err)"
[ "$("$bin/epiphany-elf-readelf" -h calls.elf | sed -n 's/ *Machine: *//p')" = "Adapteva EPIPHANY" ] ||
    fail "calls.elf is for another machine"

"$bin/epiphany-elf-objdump" -d --no-show-raw-insn program.o >program.s
for instruction in fmadd ldrd strd; do
    grep -Eq "[[:space:]]$instruction(\.l)?[[:space:]]" program.s || fail "no $instruction in program.o"
done
grep -q "[[:space:]]gie" program.s && fail "gie in program.o"

# What a program may call between GID and GIE must not turn interrupts on.
"$bin/epiphany-elf-objdump" -d --no-show-raw-insn calls.elf >calls.s
unmasking=$(awk '$2 ~ /^<.*>:$/ { name = $2 } /[ \t]gie/ { print name }' calls.s | sort -u)
for name in main memset memcpy memmove memcmp strlen malloc free udivsi3; do
    grep -q "<_*$name>:" calls.s || fail "no $name in calls.elf"
    ! echo "$unmasking" | grep -q "<_*$name>:" || fail "interrupts are turned on in $name"
done

# A remainder's operands are two.
"$bin/epiphany-elf-gcc" -Os -mfp-mode=caller -ffunction-sections -fdata-sections -w -S "$folder/remainder.c" -o - |
    awk '/^[ \t]+\./ { next }
         $1 == "mov" && split($2, to, ",") && last ~ /^r1,/ && to[1] == "r0" && "r1," to[2] == last { lost = 1 }
         { last = $1 == "mov" ? $2 : "" }
         END { exit lost }' || fail "an operand of a remainder is lost"

# Twice what it takes today means that a large part of the library came along.
bytes=$("$bin/epiphany-elf-size" calls.elf | awk 'NR == 2 { print $1 + $2 }')
[ "$bytes" -lt 16000 ] || fail "calls.elf has $bytes bytes of code and data"
echo "calls.elf: $bytes bytes"
[ "$failures" -eq 0 ]
