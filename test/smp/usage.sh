# SPDX-License-Identifier: BSD-3-Clause
# usage.sh BIN FOLDER: what oshcc --machine smp-16 and oshrun --machine smp-16 accept and refuse.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../usage_begin.sh"
"$bin/oshcc" --machine smp-16 -fopenmp -O2 -c ends.c -o ends.o
"$bin/oshcc" --machine smp-16 -fopenmp ends.o -o ends.elf
code=0
"$bin/oshrun" --machine smp-16 ends.elf >output 2>errors || code=$?
[ "$code" = 7 ] || fail "exit code $code instead of 7"
grep -qx "16 threads" output || fail "not 16 threads: $(cat output)"
code=0
"$bin/oshrun" --machine smp-16 -n 3 ends.elf >output 2>errors || code=$?
[ "$code" = 7 ] || fail "-n 3: exit code $code instead of 7"
grep -qx "3 threads" output || fail "-n 3: $(cat output)"

# More threads than their stacks leave memory for: the region has fewer threads. With small stacks there are 256.
"$bin/oshrun" --machine smp-16 --quiet -x OMP_NUM_THREADS=300 ends.elf >output 2>errors || code=$?
[ "$code" = 7 ] || fail "300 threads: exit code $code instead of 7: $(cat errors)"
grep -q "a parallel region has 2[0-9]* threads instead of 300, because there is no memory for more threads (OMP_STACKSIZE" errors ||
    fail "300 threads: $(cat errors)"
grep -qx "2[0-9]* threads" output || fail "300 threads: $(cat output)"
"$bin/oshrun" --machine smp-16 --quiet -x OMP_NUM_THREADS=300 -x OMP_STACKSIZE=64K ends.elf >output 2>errors || code=$?
grep -qx "256 threads" output || fail "300 threads with small stacks: $(cat output errors)"
grep -q "instead of 300, because a program can have at most 256 threads\$" errors || fail "300 threads with small stacks: $(cat errors)"

# A lock that is never given back: the simulator reports a deadlock.
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
"$bin/oshcc" --machine smp-16 -fopenmp -O2 lock.c -o lock.elf
code=0
"$bin/oshrun" --machine smp-16 --max-cycles 10000000 lock.elf >output 2>errors || code=$?
[ "$code" = 124 ] || fail "deadlock: exit code $code instead of 124"
grep -q "deadlock in cycle" errors || fail "no deadlock reported: $(head -3 errors)"

refuse() { # refuse TEXT COMMAND...
    text=$1
    shift
    code=0
    "$@" >output 2>&1 || code=$?
    [ "$code" = 2 ] || fail "$*: exit code $code instead of 2"
    grep -q "$text" output || fail "$*: $(cat output)"
}
if "$bin/oshc++" --machine smp-16 -showme:command >output 2>&1; then # the tools have the C++ library
cat >memory.cpp <<'C'
int main() {
    char *much = new char[1 << 30];
    return much[1];
}
C
"$bin/oshc++" --machine smp-16 -fopenmp -O0 memory.cpp -o memory.elf
code=0
"$bin/oshrun" --machine smp-16 --quiet memory.elf >output 2>&1 || code=$?
[ "$code" = 134 ] && grep -q "std::bad_alloc" output || fail "new: exit code $code: $(cat output)"
fi
cat >shmem.c <<'C'
#include <shmem.h>
int main(void) {
    shmem_init();
    shmem_finalize();
    return 0;
}
C
code=0
"$bin/oshcc" --machine smp-16 shmem.c 2>errors || code=$?
[ "$code" -ne 0 ] || fail "compiled an OpenSHMEM program"
grep -q "OpenSHMEM is not available on smp-16; machines that offer OpenSHMEM: epiphany-1024, .*riscv-16" errors || fail "$(cat errors)"
[ "$(grep -c "error:" errors)" -le 2 ] || fail "more errors than one: $(cat errors)"
mv shmem.c indirect.h
echo '#include "indirect.h"' >indirect.c
code=0
"$bin/oshcc" --machine smp-16 indirect.c 2>errors || code=$?
[ "$code" -ne 0 ] || fail "compiled an OpenSHMEM program"
grep -q "OpenSHMEM is not available for this target: name a machine that has it" errors || fail "$(cat errors)"
[ "$(grep -c "error:" errors)" -le 2 ] || fail "more errors than one: $(cat errors)"
refuse "is for OpenSHMEM" "$bin/oshcc" --machine smp-16 --check ends.c
refuse "header-only: is for OpenSHMEM" "$bin/oshcc" --machine smp-16 --header-only ends.c
