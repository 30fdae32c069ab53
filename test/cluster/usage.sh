# SPDX-License-Identifier: BSD-3-Clause
# usage.sh BIN FOLDER: what oshcc --machine mppa-cluster and oshrun --machine mppa-cluster accept and refuse.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../usage_begin.sh"

# A program has the 16 application cores, and the resource manager only if it asks for it.
"$bin/oshcc" --machine mppa-cluster -fopenmp -O2 ends.c -o ends.elf
ends 7 "^16 threads" "$bin/oshrun" --machine mppa-cluster ends.elf
ends 7 "^3 threads" "$bin/oshrun" --machine mppa-cluster -n 3 ends.elf
ends 7 "^17 threads" "$bin/oshrun" --machine mppa-cluster --cores 1x17 ends.elf
ends 125 "must be 1 to 16" "$bin/oshrun" --machine mppa-cluster -n 17 ends.elf

# The threads of a program are in one cluster.
cat >two.toml <<'TOML'
name = "two"
based_on = "mppa-cluster"
[chip]
rows = 2
TOML
"$bin/oshcc" --machine ./two.toml -fopenmp -O2 ends.c -o two.elf
ends 125 "the 32 cores are in several clusters of two" "$bin/oshrun" --machine ./two.toml two.elf
ends 7 "^16 threads" "$bin/oshrun" --machine ./two.toml -n 16 two.elf
ends 7 "^16 threads" "$bin/oshrun" --machine ./two.toml --cores 1x16@1,0 two.elf

# All of the program must fit the cluster's memory: the linker names the section, and by how much it is too large.
cat >large.c <<'C'
#include <omp.h>
static volatile char large[3 << 20];
int main(void) {
    return large[omp_get_max_threads()];
}
C
ends 1 "section .\.bss. will not fit in region .cluster." "$bin/oshcc" --machine mppa-cluster -fopenmp large.c -o large.elf
grep -q "^oshcc: the program does not fit the memory of mppa-cluster: code, constants and static variables are 1[0-9]* bytes too large" output ||
    fail "$(cat output)"

# The stacks of threads are taken when they start. They are smaller than 32 KB if memory is short, but have at least 8 KB.
cat >stacks.c <<'C'
#include <omp.h>
#include <stdio.h>
static volatile char large[LARGE << 10];
int main(void) {
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads += large[threads] + 1;
    printf("%d threads\n", threads);
    return 0;
}
C
"$bin/oshcc" --machine mppa-cluster -fopenmp -O2 -DLARGE=1700 stacks.c -o stacks.elf
ends 0 "^16 threads" "$bin/oshrun" --machine mppa-cluster stacks.elf
"$bin/oshcc" --machine mppa-cluster -fopenmp -O2 -DLARGE=1770 stacks.c -o stacks.elf
ends 0 "because there is no memory for more threads (OMP_STACKSIZE sets the size of their stacks)" "$bin/oshrun" --machine mppa-cluster stacks.elf
ends 0 "^16 threads" "$bin/oshrun" --machine mppa-cluster -x OMP_STACKSIZE=4K stacks.elf

# A lock that is never given back: the simulator reports that all cores wait.
cat >lock.c <<'C'
#include <omp.h>
int main(void) {
    omp_lock_t lock;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
#pragma omp parallel
    if (omp_get_thread_num() == 1) omp_set_lock(&lock);
    return 0;
}
C
"$bin/oshcc" --machine mppa-cluster -fopenmp -O2 lock.c -o lock.elf
ends 124 "every core waits" "$bin/oshrun" --machine mppa-cluster --max-cycles 10000000 lock.elf

cat >shmem.c <<'C'
#include <shmem.h>
int main(void) {
    shmem_init();
    shmem_finalize();
    return 0;
}
C
ends 1 "OpenSHMEM is not available on mppa-cluster" "$bin/oshcc" --machine mppa-cluster shmem.c -o shmem.elf
