#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What SKERRY_CHECK may be set to, in any case and with blanks round it, for programs, for OpenMP's and for the compiler's wrappers;
# anything else is refused with one line. Strict of one PE counts for all.
. "$(dirname "$0")/common.sh"

cat >broadcast.c <<'END'
#include <shmem.h>

static long words[4];

int main(void) {
    shmem_init();
    shmem_long_broadcast(SHMEM_TEAM_WORLD, words, words, 4, 0); // in place: a check warns
    shmem_finalize();
    return 0;
}
END
cat >parallel.c <<'END'
int main(void) {
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads++;
    return threads < 1;
}
END
"$SKERRY_BIN/oshcc" -O1 broadcast.c -o broadcast || fail "oshcc"
"$SKERRY_BIN/oshcc" -O1 -fopenmp parallel.c -o parallel || fail "oshcc -fopenmp"

for value in '' ' ' 0 no No off OFF ' false	'; do
    run env SKERRY_CHECK="$value" "$oshrun" -n 3 ./broadcast
    expect_code 0 "'$value'"
    expect_silence
    run env SKERRY_CHECK="$value" "$SKERRY_BIN/oshcc" -showme broadcast.c
    if grep -q check.o out; then fail "oshcc with '$value': $(cat out)"; fi
done
for value in 1 ' 1' yes YES on 'On ' true; do
    run env SKERRY_CHECK="$value" "$oshrun" -n 3 ./broadcast
    expect_code 0 "'$value'"
    expect_line 'skerry: PE [0-2]: shmem_long_broadcast: warning: dest 0x* (SKERRY_CHECK=strict makes this an error)'
    run env SKERRY_CHECK="$value" "$SKERRY_BIN/oshcc" -showme broadcast.c
    grep -q check.o out || fail "oshcc with '$value': $(cat out)"
done
strict_line='skerry: PE [0-2]: shmem_long_broadcast: dest 0x* is also the source; the specification requires different arrays'
for value in strict STRICT ' Strict '; do
    run env SKERRY_CHECK="$value" "$oshrun" -n 3 ./broadcast
    expect_code 1 "'$value'"
    expect_line "$strict_line"
    run env SKERRY_CHECK="$value" "$SKERRY_BIN/oshcc" -showme broadcast.c
    grep -q check.o out || fail "oshcc with '$value': $(cat out)"
done
for value in 0x1 2 -1 maybe 'strict,' 'on off' 00; do
    run env SKERRY_CHECK="$value" "$oshrun" -n 3 ./broadcast
    expect_code 1 "'$value'"
    expect_line "skerry: PE [0-2]: SKERRY_CHECK=$value: must be 0, no, off or false, 1, yes, on or true, or strict"
    run env SKERRY_CHECK="$value" ./parallel
    expect_code 1 "OpenMP with '$value'"
    expect_line "libgomp: SKERRY_CHECK=$value: must be 0, no, off or false, 1, yes, on or true, or strict"
    run env SKERRY_CHECK="$value" "$SKERRY_BIN/oshcc" -showme broadcast.c
    expect_code 2 "oshcc with '$value'"
    expect_line "oshcc: SKERRY_CHECK=$value: must be 0, no, off or false, 1, yes, on or true, or strict"
done

# One PE alone asks for it. Which PE finds the mistake is chance.
for try in 1 2 3; do
    run "$oshrun" -n 3 sh -c 'test "$SKERRY_PE" != 2 || export SKERRY_CHECK=strict; exec ./broadcast'
    expect_code 1 "strict on PE 2 only, $try"
    expect_line "$strict_line"
done
run "$oshrun" -n 3 sh -c 'export SKERRY_CHECK=$SKERRY_PE; test "$SKERRY_PE" != 2 || SKERRY_CHECK=strict; exec ./broadcast'
expect_code 1 "off, on and strict"
expect_line "$strict_line"
finish
