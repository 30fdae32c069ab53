# SPDX-License-Identifier: BSD-3-Clause
# usage.sh BIN FOLDER: what oshcc and oshrun accept and refuse for OpenMP on Epiphany, and how mistakes are reported.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../../usage_begin.sh"
"$bin/oshcc" --machine epiphany-iii -fopenmp -O2 -c ends.c -o ends.o
"$bin/oshcc" --machine epiphany-iii -fopenmp ends.o -o ends.elf
ends 7 "^16 threads" "$bin/oshrun" --machine epiphany-iii ends.elf
ends 7 "^3 threads" "$bin/oshrun" --machine epiphany-iii -n 3 ends.elf
ends 7 "^5 threads" "$bin/oshrun" --machine epiphany-iii -x OMP_NUM_THREADS=5 ends.elf
ends 7 "^16 threads" "$bin/oshrun" --machine epiphany-iii -x OMP_NUM_THREADS=99 ends.elf
ends 1 "libgomp: OMP_NUM_THREADS: must be a positive number" "$bin/oshrun" --machine epiphany-iii -x OMP_NUM_THREADS=no ends.elf
ends 1 "libgomp: OMP_SCHEDULE: must be static, dynamic, guided or auto" "$bin/oshrun" --machine epiphany-iii -x OMP_SCHEDULE=fast ends.elf
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
