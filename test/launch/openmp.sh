#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# skerry omp runs a program that the compiler alone has built on our OpenMP runtime, says on which one it would run, and passes on
# what the program says; oshcc -fopenmp links it.
. "$(dirname "$0")/common.sh"
skerry=$SKERRY_BIN/skerry

cat >program.c <<'END'
#include <stdio.h>
#include <string.h>
int main(int count, char **words) {
    char line[4096];
    int threads = 0, own = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
    threads++;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) own |= strstr(line, "/skerry/omp/libgomp.so.1") != NULL;
    printf("%d threads, %s, %d words\n", threads, own ? "Skerry's" : "another's", count);
    return count > 1 && !strcmp(words[1], "7") ? 7 : 0;
}
END
"$SKERRY_BIN/oshcc" -fopenmp -O2 "$(dirname "$0")/../../examples/relax_omp.c" -o relax || fail "does not compile the example"
OMP_NUM_THREADS=3 run ./relax
expect_code 0 "relax_omp.c"
grep -q "^relax: .* by 3 threads .* right$" out || fail "relax_omp.c: $(cat out)"

"$CC" -fopenmp program.c -o program || fail "the compiler has no -fopenmp"
run "$skerry" omp ./program
expect_code 0 "skerry omp"
grep -qx "3 threads, Skerry's, 1 words" out || fail "$(cat out)"
run "$skerry" omp ./program 7 8
expect_code 7 "skerry omp: the program's code"
grep -qx "3 threads, Skerry's, 3 words" out || fail "$(cat out)"
run "$skerry" omp --which ./program
expect_code 0 "--which"
grep -q '/skerry/omp/libgomp.so.1$' out || fail "--which: $(cat out)"

run "$skerry" omp --variant tasks=srq,lock=queue ./program 7
expect_code 7 "--variant"
grep -qx "3 threads, another's, 2 words" out || fail "--variant: $(cat out)"
[ ! -s err ] || fail "--variant: $(cat err)"
run env OMP_DISPLAY_ENV=verbose "$skerry" omp --variant tasks=srq --variant lock=queue ./program
grep -qx "  SKERRY_OMP_TASKS = 'SRQ'" err || fail "--variant tasks=srq: $(cat err)"
grep -qx "  SKERRY_OMP_LOCK = 'QUEUE'" err || fail "--variant lock=queue: $(cat err)"
run "$skerry" omp --variant barrier=mutex --which ./program
grep -q '/skerry/omp-variants/libgomp.so.1$' out || fail "--variant --which: $(cat out)"
for wrong in tasks tasks= tasks=queue colour=red SKERRY_OMP_TASKS=srq tasks=srq,lock; do
    run "$skerry" omp --variant "$wrong" ./program
    expect_code 2 "--variant $wrong"
    expect_line "skerry: omp: --variant *: no such variant (see skerry omp --help)"
done
run "$skerry" omp --variant
expect_code 2 "--variant without a list"
for variable in PARALLEL=queue JOIN=flags BARRIER=mutex LOCK=queue TASKS=srq; do
    run env "SKERRY_OMP_$variable" "$skerry" omp ./program
    expect_code 0 "SKERRY_OMP_$variable"
    expect_silence
    grep -qx "3 threads, another's, 1 words" out || fail "SKERRY_OMP_$variable: $(cat out)"
done
run env SKERRY_OMP_TASKS=mrq OMP_DISPLAY_ENV=verbose "$skerry" omp --variant lock=queue ./program
grep -qx "  SKERRY_OMP_TASKS = 'MRQ'" err || fail "a variable and --variant: $(cat err)"
grep -qx "  SKERRY_OMP_LOCK = 'QUEUE'" err || fail "a variable and --variant: $(cat err)"
run env SKERRY_OMP_TASKS= "$skerry" omp --which ./program
grep -q '/skerry/omp/libgomp.so.1$' out || fail "an empty variable: $(cat out)"
run env SKERRY_OMP_TASKS=srq "LD_LIBRARY_PATH=$("$skerry" omp --folder)" ./program
expect_code 0 "a variant's variable with the usual library"
expect_line "libgomp: SKERRY_OMP_TASKS=srq has no effect: only the library of variants has it (skerry omp --variant tasks=srq PROGRAM)"

cat >cycle.c <<'END'
#include <omp.h>
int main(void) {
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    omp_set_lock(&lock);
    return 0;
}
END
"$CC" -fopenmp cycle.c -o cycle || fail "cycle.c"
run "$skerry" omp --check ./cycle
expect_code 1 "--check"
grep -q '^libgomp: thread 0 of 1 waits in omp_set_lock, called from ./cycle+0x' err || fail "--check: $(cat err)"
grep -qx 'libgomp: deadlock: these threads wait, and no other thread is left that could wake them (found by SKERRY_CHECK)' err || fail "--check: $(cat err)"

run "$SKERRY_BIN/oshcc" -fopenmp program.c -o linked
expect_code 0 "oshcc -fopenmp"
run ./linked
expect_code 0 "linked"
grep -qx "3 threads, Skerry's, 1 words" out || fail "linked: $(cat out)"

run "$skerry" omp --which /bin/true
expect_code 2 "--which of a program without OpenMP"
expect_line "skerry: omp: /bin/true: loads no libgomp.so.1*"
run "$skerry" omp ./nosuch
expect_code 2 "no such program"
expect_line "skerry: omp: ./nosuch: no such program"
run "$skerry" omp --nonsense
expect_code 2 "no such option"
run "$skerry" omp
expect_code 2 "nothing"
run "$skerry" omp --help
expect_code 0 "help"
finish
