# SPDX-License-Identifier: BSD-3-Clause
# usage.sh BIN FOLDER: what oshcc and oshrun accept and refuse for OpenMP on Epiphany, and how mistakes are reported.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../usage_begin.sh"
"$bin/oshcc" --machine epiphany-iii -fopenmp -O2 -c ends.c -o ends.o
"$bin/oshcc" --machine epiphany-iii -fopenmp ends.o -o ends.elf
ends 7 "^16 threads" "$bin/oshrun" --machine epiphany-iii ends.elf
ends 7 "^3 threads" "$bin/oshrun" --machine epiphany-iii -n 3 ends.elf
ends 7 "^5 threads" "$bin/oshrun" --machine epiphany-iii -x OMP_NUM_THREADS=5 ends.elf
ends 7 "^5 threads" "$bin/oshrun" --machine epiphany-iii -x "OMP_NUM_THREADS= 5 , 2" ends.elf

# Fewer threads than a program asks for, with the reason, once.
ends 7 "^16 threads" "$bin/oshrun" --machine epiphany-iii -x OMP_NUM_THREADS=99 ends.elf
line="libgomp: a parallel region has 16 threads instead of 99, because each core runs one thread, and the program has 16 cores"
[ "$(grep -cx "$line" output)" = 1 ] || fail "not one line '$line': $(cat output)"
ends 7 "has 1 thread instead of 1000000000, because each core runs one thread, and the program has 1 core\$" \
    "$bin/oshrun" --machine epiphany-iii -n 1 -x OMP_NUM_THREADS=1000000000 ends.elf
cat >fewer.c <<'C'
#include <omp.h>
int main(void) {
    int threads = 0;
    if (NESTED) omp_set_max_active_levels(2);
    for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(THREADS) reduction(+ : threads)
#pragma omp parallel num_threads(2) reduction(+ : threads)
        {
            threads++;
            if (NESTED) omp_set_nested(1);
        }
    }
    return threads != 2 * 16;
}
C
"$bin/oshcc" --machine epiphany-iii -fopenmp -O2 -DTHREADS=40 -DNESTED=0 fewer.c -o fewer.elf
"$bin/oshrun" --machine epiphany-iii --quiet fewer.elf >output 2>&1 || fail "num_threads(40): $(cat output)"
[ "$(cat output)" = "${line%99*}40${line#*99}" ] || fail "num_threads(40): $(cat output)"
"$bin/oshcc" --machine epiphany-iii -fopenmp -O2 -DTHREADS=16 -DNESTED=1 fewer.c -o fewer.elf
"$bin/oshrun" --machine epiphany-iii --quiet fewer.elf >output 2>&1 || fail "nested regions: $(cat output)"
[ "$(cat output)" = "libgomp: omp_set_max_active_levels and omp_set_nested have no effect on this machine, where nested regions have one thread" ] ||
    fail "nested regions: $(cat output)"

# Wrong values of variables are ignored, with a message.
for value in no -3 0 4x 3,0 3, 99999999999; do
    ends 7 "^16 threads" "$bin/oshrun" --machine epiphany-iii -x "OMP_NUM_THREADS=$value" ends.elf
    grep -qx "libgomp: Invalid value for environment variable OMP_NUM_THREADS: '$value' is not a list of positive numbers" output ||
        fail "OMP_NUM_THREADS=$value: $(cat output)"
done
cat >schedule.c <<'C'
#include <omp.h>
#include <stdio.h>
int main(void) {
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    printf("schedule %d %d\n", (int)kind, chunk);
    return 0;
}
C
"$bin/oshcc" --machine epiphany-iii -fopenmp -O2 schedule.c -o schedule.elf
for value in fast static, staticky dynamic,x monotonic guided:4; do
    ends 0 "^schedule 2 1\$" "$bin/oshrun" --machine epiphany-iii -x "OMP_SCHEDULE=$value" schedule.elf
    grep -qx "libgomp: Invalid value for environment variable OMP_SCHEDULE: '$value' is not of the form .monotonic:.*" output ||
        fail "OMP_SCHEDULE=$value: $(cat output)"
done
ends 0 "^schedule 3 7\$" "$bin/oshrun" --machine epiphany-iii -x "OMP_SCHEDULE=Monotonic : guided, 7" schedule.elf
ends 0 "^schedule 1 0\$" "$bin/oshrun" --machine epiphany-iii -x OMP_SCHEDULE=static schedule.elf
"$bin/oshcc" --machine epiphany-iv -fopenmp -O2 ends.c -o iv.elf
ends 7 "^64 threads" "$bin/oshrun" --machine epiphany-iv iv.elf

# Every thread's last line is printed, also without a newline.
cat >lines.c <<'C'
#include <omp.h>
#include <stdio.h>
int main(void) {
#pragma omp parallel
    printf("thread-%d-", omp_get_thread_num());
    return 0;
}
C
"$bin/oshcc" --machine epiphany-iii -fopenmp -O1 lines.c -o lines.elf
"$bin/oshrun" --machine epiphany-iii --quiet lines.elf >output
[ "$(grep -o 'thread-[0-9]*-' output | sort -u | wc -l)" = 16 ] || fail "lines are missing: $(cat output)"

# printf prints floating-point numbers.
printf '#include <stdio.h>\nint main(void) { printf("%%.2f\\n", 1.5); return 0; }\n' >float.c
"$bin/oshcc" --machine epiphany-iii -fopenmp float.c -o float.elf
[ "$("$bin/oshrun" --machine epiphany-iii --quiet float.elf)" = 1.50 ] || fail "printf of a floating-point number"

# OpenSHMEM and OpenMP in one program.
printf '#include <shmem.h>\nint main(void) { shmem_init(); }\n' >both.c
ends 1 "OpenSHMEM is not available on epiphany-iii with -fopenmp" "$bin/oshcc" --machine epiphany-iii -fopenmp both.c -o both.elf

# Constructs that are left out.
refused() {
    printf '%s\n' "$2" >left_out.c
    "$bin/oshcc" --machine epiphany-iii -fopenmp -O1 left_out.c -o left_out.elf
    ends 1 "libgomp: $1 is not supported on this machine" "$bin/oshrun" --machine epiphany-iii -n 2 left_out.elf
}
refused "#pragma omp cancel" 'int main(void) {
#pragma omp parallel
{
#pragma omp cancel parallel
}
}'
refused "#pragma omp target" 'int x; int main(void) {
#pragma omp target map(x)
x++;
}'
refused "#pragma omp for ordered(n)" 'int x; int main(void) {
#pragma omp parallel for ordered(1)
for (int i = 0; i < 4; i++) {
#pragma omp ordered depend(sink : i - 1)
x++;
#pragma omp ordered depend(source)
}
}'
refused "reduction(task, ...) of a loop" 'int x; int main(void) {
#pragma omp parallel
#pragma omp for reduction(task, + : x)
for (int i = 0; i < 4; i++) x++;
}'
refused "lastprivate(conditional:...) of sections" 'int x; int main(void) {
#pragma omp parallel
#pragma omp sections lastprivate(conditional : x)
{
x = 1;
#pragma omp section
x = 2;
}
}'
of_loop="reduction(inscan, ...), or lastprivate(conditional:...) of a loop whose region is in another function,"
refused "$of_loop" 'int x; __attribute__((noinline)) static void loop(void) {
#pragma omp for lastprivate(conditional : x)
for (int i = 0; i < 4; i++) if (i != 2) x = i;
}
int main(void) {
#pragma omp parallel
loop();
}'
refused "$of_loop" 'int x; unsigned long long last; __attribute__((noinline)) static void loop(void) {
#pragma omp for lastprivate(conditional : last)
for (unsigned long long i = 0; i < 4; i++) if (i != 2) last = i;
}
int main(void) { // in the region itself it works
#pragma omp parallel
{
#pragma omp for lastprivate(conditional : x)
for (int i = 0; i < 4; i++) if (i != 3) x = i;
}
if (x != 2) return 2;
#pragma omp parallel
loop();
}'
refused "$of_loop" 'int x, sums[4]; int main(void) {
#pragma omp parallel for reduction(inscan, + : x)
for (int i = 0; i < 4; i++) {
x += i;
#pragma omp scan inclusive(x)
sums[i] = x;
}
}'
# All threads find the mistake, and one of them says so.
"$bin/oshrun" --machine epiphany-iii left_out.elf >output 2>&1 && fail "scan: exit code 0"
[ "$(grep -c 'is not supported' output)" = 1 ] || fail "more than one line: $(cat output)"
refused "omp_alloc" '#include <omp.h>
int main(void) { return omp_alloc(8, omp_default_mem_alloc) != 0; }'
cat >lock.c <<'C'
#include <omp.h>
#include <stdlib.h>
int main(void) {
    omp_init_lock(malloc(sizeof(omp_lock_t)));
    return 0;
}
C
"$bin/oshcc" --machine epiphany-iii -fopenmp lock.c -o lock.elf
ends 1 "omp_init_lock: the lock lies in external memory" "$bin/oshrun" --machine epiphany-iii lock.elf

# Stacks and sizes.
cat >stack.c <<'C'
__attribute__((noinline)) static int deep(int n) {
    volatile char room[512];
    room[n] = 1;
    return n ? deep(n - 1) + room[n] : 0;
}
int main(void) {
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    sum += deep(10);
    return sum == 0;
}
C
"$bin/oshcc" --machine epiphany-iii -fopenmp -O1 stack.c -o stack.elf
ends 124 "stack overflow.*__skerry_stack_bytes=BYTES" "$bin/oshrun" --machine epiphany-iii stack.elf
cat >frame.c <<'C'
#include <omp.h>
int main(void) {
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    if (omp_get_thread_num() == THREAD) {
        volatile char room[BYTES];
        for (int i = 0; i < BYTES; i += 1000) room[i] = 1;
        sum += room[1000];
    }
    return sum;
}
C
for large in "0 40000" "5 40000" "15 160000" "3 1000000"; do
    "$bin/oshcc" --machine epiphany-iii -fopenmp -Og "-DTHREAD=${large% *}" "-DBYTES=${large#* }" frame.c -o frame.elf
    ends 124 "stack overflow: .* outside the core's memory, in which a function's variables and private copies must fit" \
        "$bin/oshrun" --machine epiphany-iii frame.elf
done
"$bin/oshcc" --machine epiphany-iii -fopenmp -Og -DTHREAD=2 -DBYTES=30000 frame.c -o frame.elf
ends 124 "stack overflow: the stack pointer is 0x[0-9a-f]*, [0-9]* bytes below __stack_limit" "$bin/oshrun" --machine epiphany-iii frame.elf
"$bin/oshcc" --machine epiphany-iii -fopenmp -O1 stack.c -Wl,--defsym=__skerry_stack_bytes=0x2000 -o stack.elf
"$bin/oshrun" --machine epiphany-iii --quiet stack.elf || fail "a stack of 8 KB is not enough"
echo 'int many[20000]; int main(void) { many[1] = 1; return many[2]; }' >large.c
ends 1 "region .first_core. overflowed by [0-9]* bytes" "$bin/oshcc" --machine epiphany-iii -fopenmp large.c -o large.elf
sed 's/int many/__attribute__((section(".external"))) &/' large.c >external.c
"$bin/oshcc" --machine epiphany-iii -fopenmp external.c -o external.elf
"$bin/oshrun" --machine epiphany-iii --quiet external.elf || fail "an array in external memory"
echo 'const int many[20000] = {1}; int main(int n, char **a) { return many[n] + (a == 0); }' >constant.c
ends 1 "region .core. overflowed by [0-9]* bytes" "$bin/oshcc" --machine epiphany-iii -fopenmp constant.c -o large.elf
cat >threadprivate.c <<'C'
int array[8000];
#pragma omp threadprivate(array)
int main(void) {
#pragma omp parallel
    array[1] = 1;
    return 0;
}
C
"$bin/oshcc" --machine epiphany-iii -fopenmp threadprivate.c -o threadprivate.elf
ends 1 "threadprivate: the thread's copies of the variables do not fit" "$bin/oshrun" --machine epiphany-iii threadprivate.elf

ends 2 "no C++ library" "$bin/oshc++" --machine epiphany-iii -fopenmp ends.c
ends 2 "is for OpenSHMEM" "$bin/oshcc" --machine epiphany-iii -fopenmp --check ends.c

# Reports name the call in the program's own code by which a thread has come into the runtime.
cat >locks.c <<'C'
#include <omp.h>
#include <string.h>
static omp_lock_t lock;
__attribute__((noinline)) static void take(void) {
    omp_set_lock(&lock);
    __asm__ volatile("");
}
__attribute__((noinline)) static void step(void) {
#pragma omp barrier
    __asm__ volatile("");
}
int main(int count, char **arguments) {
    omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
    {
        if (!strcmp(arguments[1], "lock")) take();
        if (!strcmp(arguments[1], "barrier")) {
            if (omp_get_thread_num() == 2) take(), take();
            step();
        }
        if (!strcmp(arguments[1], "copy") && omp_get_thread_num() == 3) memset((void *)0x70000000, count, 64);
    }
    return 0;
}
C
"$bin/oshcc" --machine epiphany-iii -fopenmp -Og -g -fno-builtin locks.c -o locks.elf
ends 124 "deadlock in cycle" "$bin/oshrun" --machine epiphany-iii locks.elf lock
[ "$(grep -c "<omp_set_lock.*, called from take at locks.c:5: polls" output)" = 3 ] || fail "a lock: $(cat output)"
[ "$(grep -c "<skerry_omp_meet.*, called from main at locks.c:14: polls" output)" = 1 ] || fail "the end of a region: $(cat output)"
[ "$(grep -c "<skerry_omp_begin_worker+0x[0-9a-f]*>[^,]*: polls" output)" = 12 ] || fail "a lock: $(cat output)"
ends 124 "deadlock in cycle" "$bin/oshrun" --machine epiphany-iii locks.elf barrier
[ "$(grep -c "<skerry_omp_meet.*, called from step at locks.c:9: polls" output)" = 3 ] || fail "a barrier: $(cat output)"
grep -q "core (32,10) .*<omp_set_lock.*, called from take at locks.c:5: polls" output || fail "a barrier: $(cat output)"
ends 124 "core (32,11) .*: store of . bytes at 0x70000000, where no memory is" "$bin/oshrun" --machine epiphany-iii locks.elf copy
grep -q "<memset.*, called from main._omp_fn.0 at locks.c:21" output || fail "a copy: $(cat output)"
