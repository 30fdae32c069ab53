# SPDX-License-Identifier: BSD-3-Clause
# usage.sh BIN FOLDER: the exit codes of --check-races, programs that cannot be checked, and a program without debug information.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../usage_begin.sh"
cat >race.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int count;
int main(int argc, char **argv) {
    (void)argv;
#pragma omp parallel num_threads(4)
    count++;
    printf("counted\n");
    if (argc == 2) exit(9);
    for (volatile int stop = argc < 3; !stop;) {
    }
    return 0;
}
C
"$bin/oshcc" --machine smp-16 -fopenmp -O1 race.c -o race.elf
ends 0 "^counted" "$bin/oshrun" --machine smp-16 --quiet race.elf
ends 9 "^counted" "$bin/skerry" sim --machine smp-16 race.elf with
# The exit code says that there is a race even if the program has failed too. A program that does not end is reported as such.
ends 123 "^skerry-sim: race on 4 bytes at 0x[0-9a-f]* <count>" "$bin/skerry" sim --check-races --machine smp-16 race.elf
ends 123 "2 pairs of places race; compile with -g to see source lines" "$bin/skerry" sim --check-races --machine smp-16 race.elf with
ends 123 "at 0x[0-9a-f]* in main._omp_fn.0 (omp parallel), cycle" "$bin/skerry" sim --check-races --machine smp-16 race.elf
ends 124 "stopped after 300000 cycles" "$bin/skerry" sim --check-races --machine smp-16 --max-cycles 300000 race.elf with two
ends 124 "race on 4 bytes" "$bin/skerry" sim --check-races --machine smp-16 --max-cycles 300000 race.elf with two
# The check changes no cycle.
"$bin/oshrun" --machine smp-16 race.elf 2>&1 | grep "instructions of [0-9]" >without
"$bin/oshrun" --machine smp-16 --check-races race.elf 2>&1 | grep "instructions of [0-9]" >with
cmp -s without with || fail "the check changes the cycles: $(cat without with)"

cat >pes.c <<'C'
#include <shmem.h>
int main(void) {
    shmem_init();
    shmem_finalize();
}
C
"$bin/oshcc" --machine riscv-16 pes.c -o pes.elf
ends 125 "check-races: the program was not linked by oshcc -fopenmp" "$bin/oshrun" --machine riscv-16 --check-races pes.elf

# Tasks race if nothing orders them, also if one thread runs all of them. The compiler makes one function of the two tasks.
cat >tasks.c <<'C'
static int count;
int main(void) {
#pragma omp parallel
#pragma omp single
    {
#pragma omp task
        count++;
#pragma omp task
        count++;
#ifdef RIGHT
#pragma omp taskwait
#endif
        count++;
    }
    return 0;
}
C
"$bin/oshcc" --machine sarc-4 -fopenmp -O2 -g tasks.c -o tasks.elf
ends 123 "(omp task), cycle" "$bin/oshrun" --machine sarc-4 -n 1 --check-races tasks.elf
grep -q "2 pairs of places race" output || fail "not both pairs: $(cat output)"
"$bin/oshcc" --machine sarc-4 -fopenmp -O2 -g -DRIGHT tasks.c -o tasks.elf
ends 123 "(omp task), cycle" "$bin/oshrun" --machine sarc-4 -n 1 --quiet --check-races tasks.elf
[ "$(tail -n 1 output)" = "skerry-sim: --check-races: 1 pair of places races" ] || fail "with taskwait: $(cat output)"
