# SPDX-License-Identifier: BSD-3-Clause
# usage.sh BIN FOLDER: what oshcc and oshrun accept and refuse for OpenMP on sarc-4 and sarc-16, and how mistakes are reported.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../usage_begin.sh"
"$bin/oshcc" --machine sarc-16 -fopenmp -O2 -c ends.c -o ends.o
"$bin/oshcc" --machine sarc-16 -fopenmp ends.o -o ends.elf
ends 7 "^16 threads" "$bin/oshrun" --machine sarc-16 ends.elf
ends 7 "^3 threads" "$bin/oshrun" --machine sarc-16 -n 3 ends.elf
ends 7 "^4 threads" "$bin/oshrun" --machine sarc-4 ends.elf

# Fewer threads than a program asks for, with the reason.
ends 7 "has 4 threads instead of 9, because each core runs one thread, and the program has 4 cores\$" \
    "$bin/oshrun" --machine sarc-4 -x OMP_NUM_THREADS=9 ends.elf
ends 7 "has 1 thread instead of 2, because each core runs one thread, and the program has 1 core\$" \
    "$bin/oshrun" --machine sarc-4 -n 1 -x OMP_NUM_THREADS=2 ends.elf
cat >nested.c <<'C'
#include <omp.h>
int main(void) {
    int threads = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3) reduction(+ : threads)
#pragma omp parallel num_threads(3) reduction(+ : threads)
    threads++;
    return threads < 3;
}
C
"$bin/oshcc" --machine sarc-4 -fopenmp -O2 nested.c -o nested.elf
ends 0 "has [12] threads* instead of 3, because each core runs one thread, and the program has 4 cores, of which other regions have [23]\$" \
    "$bin/oshrun" --machine sarc-4 nested.elf
[ "$(grep -c "instead of" output)" = 1 ] || fail "more than one warning: $(cat output)"
ends 7 "^libgomp: SKERRY_OMP_TASKS=srq has no effect on this machine, whose programs have no library of variants\$" \
    "$bin/oshrun" --machine sarc-4 -x SKERRY_OMP_TASKS=srq ends.elf

"$bin/oshcc" --machine sarc-4 -fopenmp -O2 ends.c -o four.elf
ends 125 "linked for a machine of 4 cores" "$bin/oshrun" --machine sarc-16 four.elf

# Without optimisation, gcc warns of branches for words of other sizes unless the headers say that they are meant.
cat >words.c <<'C'
#include <shmem.h>
static char a; static short b; static int c; static long long d; static double e;
int main(void) {
    shmem_init();
    shmem_char_p(&a, 1, 0), shmem_short_p(&b, 1, 0), shmem_int_p(&c, 1, 0), shmem_longlong_p(&d, 1, 0), shmem_double_p(&e, 1, 0);
    shmem_quiet();
    shmem_short_wait_until(&b, SHMEM_CMP_EQ, 1), shmem_int_wait_until(&c, SHMEM_CMP_EQ, 1);
    int sum = shmem_char_g(&a, 0) + shmem_short_g(&b, 0) + shmem_int_g(&c, 0) + (int)shmem_longlong_g(&d, 0);
    shmem_finalize();
    return sum != 4;
}
C
for machine in sarc-16 mppa; do
    "$bin/oshcc" --machine $machine -O0 -Wall -Wextra -c words.c -o words.o >output 2>&1 || fail "$(cat output)"
    [ ! -s output ] || fail "warnings on $machine without optimisation: $(cat output)"
done

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
"$bin/oshcc" --machine sarc-4 -fopenmp -O1 stack.c -o stack.elf
ends 124 "stack overflow: the stack pointer is 0x[0-9a-f]*, [0-9]* bytes below __stack_limit.*__skerry_stack_bytes=BYTES" "$bin/oshrun" --machine sarc-4 stack.elf
ends 124 "OMP_STACKSIZE has no effect on this machine.*__skerry_stack_bytes=BYTES" "$bin/oshrun" --machine sarc-4 -x OMP_STACKSIZE=8K stack.elf
for variable in OMP_PLACES=cores OMP_PROC_BIND=true GOMP_CPU_AFFINITY=0-3; do
    ends 1 "are not supported on this machine, where each thread stays on its core: unset them" \
        "$bin/oshrun" --machine sarc-4 -x $variable four.elf
done
"$bin/oshcc" --machine sarc-4 -fopenmp -O1 stack.c -Wl,--defsym=__skerry_stack_bytes=0x2000 -o stack.elf
"$bin/oshrun" --machine sarc-4 --quiet stack.elf || fail "a stack of 8 KB is not enough"

echo 'int many[20000]; int main(void) { many[1] = 1; return many[2]; }' >large.c
ends 1 "region .first_core. overflowed by [0-9]* bytes" "$bin/oshcc" --machine sarc-4 -fopenmp large.c -o large.elf
tail -n 1 output | grep -q "^oshcc: the program does not fit the memory of sarc-4: code, constants and static variables are [0-9]* bytes too large$" ||
    fail "the last line: $(cat output)"
sed 's/int many/__attribute__((section(".external"))) &/' large.c >external.c
"$bin/oshcc" --machine sarc-4 -fopenmp external.c -o external.elf
"$bin/oshrun" --machine sarc-4 --quiet external.elf || fail "an array in external memory"

# Parts of the runtime that few programs run do not take memory of the cores: a region leaves room for a stack of 40 KB.
printf 'int main(void) {\n    int sum = 0;\n#pragma omp parallel reduction(+ : sum)\n    sum++;\n    return sum != 4;\n}\n' >region.c
"$bin/oshcc" --machine sarc-4 -fopenmp -Os region.c -Wl,--defsym=__skerry_stack_bytes=0xa000 -o region.elf
ends 0 "OMP_NUM_THREADS = '4'" "$bin/oshrun" --machine sarc-4 --quiet -x OMP_DISPLAY_ENV=true -x OMP_DISPLAY_AFFINITY=true region.elf
grep -q "^level 1 thread 3 affinity 0-3" output || fail "OMP_DISPLAY_AFFINITY: $(cat output)"

# A program that uses much of the C library has room for the runtime on sarc-16 too: it has no code of tasks, as it makes none.
cat >whole.c <<'C'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char text[2048];
int main(int count, char **arguments) {
    double step, sum = 0;
    if (count != 2 || sscanf(arguments[1], "%lf", &step) != 1) return 2;
    double *array = malloc(1000 * sizeof *array);
    strcpy(text, arguments[1]);
#pragma omp parallel for
    for (int i = 0; i < 1000; i++) array[i] = sqrt(i * step);
#pragma omp parallel for schedule(dynamic, 10) reduction(+ : sum)
    for (int i = 0; i < 1000; i++) sum += array[i] * array[i];
    printf("%s: %.1f\n", text, sum);
    free(array);
    return 0;
}
C
"$bin/oshcc" --machine sarc-16 -fopenmp -O2 whole.c -lm -o whole.elf
ends 0 "^0.5: 249750.0\$" "$bin/oshrun" --machine sarc-16 --quiet whole.elf 0.5
[ "$(wc -l <output)" = 1 ] || fail "more than one line: $(cat output)"

# Data that leave the first core no room for the runtime: the linker says how large they may be.
cat >narrow.c <<'C'
char many[SIZE];
int main(void) {
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 8; i++) sum += i + many[i];
    return sum != 28;
}
C
over=$("$bin/oshcc" --machine sarc-4 -fopenmp -DSIZE=65536 narrow.c -o narrow.elf 2>&1 | sed -n 's/.*first_core. overflowed by \([0-9]*\) .*/\1/p')
"$bin/oshcc" --machine sarc-4 -fopenmp -DSIZE=$((65536 - over - 128)) narrow.c -o narrow.elf
"$bin/oshrun" --machine sarc-4 --quiet narrow.elf 2>narrow.err || fail "a program that leaves the runtime no room"
[ "$(grep -c "a core's memory has too little room for the OpenMP runtime" narrow.err)" = 1 ] || fail "the warning: $(cat narrow.err)"

# Private variables that are larger than a core's memory: on the stack of the last thread, and as a clause's copies.
cat >private.c <<'C'
#include <omp.h>
__attribute__((noinline)) static void use(void) {
    volatile double array[20000];
    for (int i = 0; i < 20000; i++) array[i] = i;
}
int main(void) {
#pragma omp parallel num_threads(THREADS)
    if (omp_get_thread_num() == THREADS - 1) use();
    return 0;
}
C
for threads in 1 2 4; do
    "$bin/oshcc" --machine sarc-4 -fopenmp -O2 -DTHREADS=$threads private.c -o private.elf
    ends 124 "stack overflow: .* outside the core's memory, in which a function's variables and private copies must fit" \
        "$bin/oshrun" --machine sarc-4 private.elf
done
cat >first.c <<'C'
__attribute__((section(".external"))) static double array[200000];
int main(void) {
#pragma omp parallel CLAUSE
    for (int i = 0; i < 200000; i += 100) ((volatile double *)array)[i] += 1;
    return 0;
}
C
for clause in 'firstprivate(array)' 'reduction(+:array)'; do
    "$bin/oshcc" --machine sarc-4 -fopenmp -O2 "-DCLAUSE=$clause" first.c -o first.elf
    ends 124 "stack overflow: .* outside the core's memory" "$bin/oshrun" --machine sarc-4 first.elf
done
cat >threadprivate.c <<'C'
double array[20000];
#pragma omp threadprivate(array)
int main(void) {
#pragma omp parallel
    array[1] = 1;
    return 0;
}
C
ends 1 "region .core. overflowed by [0-9]* bytes" "$bin/oshcc" --machine sarc-4 -fopenmp threadprivate.c -o large.elf
tail -n 1 output | grep -q "sarc-4: code, constants and thread-local variables are [0-9]* bytes too large, and with the static variables" ||
    fail "the last line: $(cat output)"
for bytes in 0x10000 0x20000 -4096; do
    ends 1 "the stack is larger than a core's memory" \
        "$bin/oshcc" --machine sarc-4 -fopenmp ends.c -Wl,--defsym=__skerry_stack_bytes=$bytes -o large.elf
done
for option in -flto -fopenacc; do
    ends 2 "^oshcc: $option: is not supported with -fopenmp on sarc-4" "$bin/oshcc" --machine sarc-4 -fopenmp $option ends.c
done

# Wrong arguments of <skerry_omp.h> end the program with one line.
"$bin/oshcc" --machine sarc-4 -fopenmp -Os "$here/../omp/data_error.c" -o data_error.elf
wrong() {
    ends 1 "^skerry_omp_$2" "$bin/oshrun" --machine sarc-4 --quiet data_error.elf "$1"
    [ "$(grep -c -v '^skerry-sim: PE 0 exited with code 1' output)" = 1 ] || fail "more than one line: $(cat output)"
}
wrong update 'chunks_begin: an element of 8 bytes must .* a part of 7 bytes of the buffer$'
wrong zero 'chunks_begin: an element of 0 bytes must have at least 1 byte'
wrong mode 'chunks_begin: mode 7 is none of the 3 modes$'
wrong null 'chunks_begin: an array of 4 elements of 8 bytes: it and the buffer must exist$'
wrong next 'chunks_next: .* skerry_omp_chunks_begin was not called$'
wrong overlap 'put_begin: the blocks of 16 bytes must exist and not overlap; their distance is 8 bytes$'
wrong address 'get_begin: the blocks of 16 bytes must exist'

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
"$bin/oshcc" --machine sarc-4 -fopenmp -O2 lock.c -o lock.elf
ends 124 "deadlock in cycle" "$bin/oshrun" --machine sarc-4 --max-cycles 10000000 lock.elf

# The report names the call in the program's own code by which each thread waits.
cat >barrier.c <<'C'
#include <omp.h>
static int sum;
__attribute__((noinline)) static void step(void) {
#pragma omp barrier
    sum++;
}
int main(void) {
#pragma omp parallel
    if (omp_get_thread_num() != 1) step();
    return 0;
}
C
"$bin/oshcc" --machine sarc-4 -fopenmp -O2 -g barrier.c -o barrier.elf
ends 124 "core (32,8) .*<GOMP_barrier.*>.*, called from step at barrier.c:4: polls" "$bin/oshrun" --machine sarc-4 barrier.elf
grep -q "core (33,9) .*, called from step at barrier.c:4: polls" output || fail "no place of thread 3: $(cat output)"
"$bin/oshcc" --machine sarc-4 -fopenmp -Og -g lock.c -o lock.elf
ends 124 "core (32,9) .*, called from main._omp_fn.0 at lock.c:7: polls" "$bin/oshrun" --machine sarc-4 lock.elf

# Null pointers, and divisions by zero.
cat >wrong.c <<'C'
#include <omp.h>
#include <stdlib.h>
#include <string.h>
struct pair {
    int first, second;
};
int main(int count, char **arguments) {
    struct pair *volatile none = NULL;
    void (*volatile function)(void) = NULL;
    const int digits = atoi(arguments[1]);
    volatile int result = 0;
#pragma omp parallel
    if (omp_get_thread_num() == 2) {
        if (!strcmp(arguments[2], "load")) result = none->second;
        if (!strcmp(arguments[2], "store")) none->second = 3;
        if (!strcmp(arguments[2], "add")) __atomic_fetch_add(&none->second, 1, __ATOMIC_RELAXED);
        if (!strcmp(arguments[2], "call")) function();
        if (!strcmp(arguments[2], "divide")) result = 100 / digits;
        if (!strcmp(arguments[2], "remainder")) result = (int)(100u % (unsigned)digits);
        if (!strcmp(arguments[2], "abort")) abort();
    }
    return count - 3 + 0 * result;
}
C
"$bin/oshcc" --machine sarc-4 -fopenmp -O1 -g wrong.c -o wrong.elf
null="of 4 bytes at 0x00000004.*where a program has no data (a null pointer?)"
ends 124 "core (33,8) .*load $null" "$bin/oshrun" --machine sarc-4 wrong.elf 0 load
grep -q "main._omp_fn.0.* at wrong.c:14: lw" output || fail "no place of the load: $(cat output)"
ends 124 "core (33,8) .*store $null" "$bin/oshrun" --machine sarc-4 wrong.elf 0 store
ends 124 "core (33,8) .*store $null" "$bin/oshrun" --machine sarc-4 wrong.elf 0 add
ends 124 "core (33,8) .*: jump to address 0, where no code is (a null pointer to a function?)" \
    "$bin/oshrun" --machine sarc-4 wrong.elf 0 call
grep -q "called from main._omp_fn.0 at wrong.c:17" output || fail "no place of the call: $(cat output)"
ends 124 "core (33,8) .*: division of an integer by zero" "$bin/oshrun" --machine sarc-4 wrong.elf 0 divide
ends 124 "core (33,8) .*: division of an integer by zero" "$bin/oshrun" --machine sarc-4 wrong.elf 0 remainder
ends 0 "" "$bin/oshrun" --machine sarc-4 wrong.elf 7 divide
ends 134 "ended by signal 6 (abort)" "$bin/oshrun" --machine sarc-4 wrong.elf 7 abort

# printf and scanf know all integers, and floating-point numbers if a format needs them.
cat >formats.c <<'C'
#include <inttypes.h>
#include <stdio.h>
int main(void) {
    double number = 0;
    printf("%lld %llu %jd %zu %td %hhd %" PRIx64 "\n", -5000000000000000000LL, 18446744073709551615ULL, (intmax_t)-9, (size_t)7,
           (ptrdiff_t)-3, 300, UINT64_C(0x123456789abcdef));
    if (scanf("%lf", &number) != 1) return 1;
    printf("%.3f %g\n", number, number);
    return 0;
}
C
"$bin/oshcc" --machine sarc-4 -fopenmp -Os formats.c -o formats.elf
echo 2.5 | ends 0 "^-5000000000000000000 18446744073709551615 -9 7 -3 44 123456789abcdef\$" "$bin/oshrun" --machine sarc-4 --quiet formats.elf
grep -qx "2.500 2.5" output || fail "floating-point numbers: $(cat output)"

# The first thread prints a line of 1000 characters in 100,000 cycles. It took 1,800,000, because each character loaded
# words of stdout from external memory.
cat >print.c <<'C'
#include <omp.h>
#include <stdio.h>
#include <string.h>
static char line[1001];
int main(void) {
    memset(line, 'x', 999);
    const double begin = omp_get_wtime();
    puts(line);
    const int cycles = (int)((omp_get_wtime() - begin) * 600e6);
    fprintf(stderr, "%d cycles\n", cycles);
    return cycles > 100000;
}
C
"$bin/oshcc" --machine sarc-16 -fopenmp -O2 print.c -o print.elf
ends 0 "^[0-9]* cycles" "$bin/oshrun" --machine sarc-16 --quiet print.elf

# All threads load a shared variable at the end of a region, one after the other. Their values go up the tree of threads
# nevertheless. A region took 29,000 cycles, because the threads waited for each other for 250 cycles only.
cat >spread.c <<'C'
#include <omp.h>
#include <stdio.h>
#define REGIONS 8
int main(void) {
    int most = 0;
    double begin = 0;
    for (int i = 0; i < 2 * REGIONS; i++) {
        if (i == REGIONS) begin = omp_get_wtime();
#pragma omp parallel reduction(max : most)
        most = i;
    }
    const int cycles = (int)((omp_get_wtime() - begin) * 600e6 / REGIONS);
    fprintf(stderr, "%d cycles\n", cycles);
    return most != 2 * REGIONS - 1 || cycles > 4000;
}
C
"$bin/oshcc" --machine sarc-64 -fopenmp -O2 spread.c -o spread.elf
ends 0 "^[0-9]* cycles" "$bin/oshrun" --machine sarc-64 --quiet spread.elf

# Without -fopenmp the pragmas would have no effect.
ends 1 "warning: barrier.c uses OpenMP, which has no effect without -fopenmp" "$bin/oshcc" --machine sarc-4 barrier.c -o serial.elf
ends 0 "warning: first.c uses OpenMP" "$bin/oshcc" --machine sarc-4 -DCLAUSE= first.c -o serial.elf

"$bin/oshc++" --machine sarc-4 -fopenmp ends.c -o cxx.elf # as C++
ends 7 "^4 threads" "$bin/oshrun" --machine sarc-4 cxx.elf
ends 2 "is for OpenSHMEM" "$bin/oshcc" --machine sarc-4 -fopenmp --check ends.c

# The assembler replaces the last addition of a construct's function, and nothing else.
folder=$bin/../lib/skerry/sarc/assembler
changed() { # changed EXPECTED LINE...: the output of the lines, as the end of a construct's function, without directives
    expected=$1
    shift
    { printf 'f._omp_fn.0:\n'; printf '\t%b\n' "$@"; } | awk -f "$folder/last_additions.awk" | grep -v '^[f.]' | tr -d '\t' | tr '\n' ' ' >output
    [ "$(cat output)" = "$expected" ] || fail "the addition becomes $(cat output)"
}
load() { printf '%s' "lui$1,%tprel_hi(skerry_omp_post) add$1,$1,tp,%tprel_add(skerry_omp_post) lw$1,%tprel_lo(skerry_omp_post)($1) bnez$1,.Lskerry_add1"; }
changed "$(load t1) amoadd.w zero,a5,0(a0) ret mva1,a5 mva2,t1 tailskerry_omp_post_last " 'amoadd.w zero,a5,0(a0)' 'ret'
changed "$(load t1) amoadd.w zero,a0,0(a1) lwra,12(sp) addisp,sp,16 jrra mvt2,a0 mva0,a1 mva1,t2 mva2,t1 lwra,12(sp) addisp,sp,16 tailskerry_omp_post_last " \
    'amoadd.w zero,a0,0(a1)' 'lw\tra,12(sp)' 'addi\tsp,sp,16' 'jr\tra'
changed "$(load t3) amoadd.w zero,t2,0(t1) ret mva0,t1 mva1,t2 mva2,t3 tailskerry_omp_post_last " 'amoadd.w zero,t2,0(t1)' 'ret'
printf 'f._omp_fn.0:\n\tamoadd.w zero,a5,0(a0)\n\tret\n' | awk -v by=tree -f "$folder/last_additions.awk" >output
grep -q 'skerry_omp_sum' output && grep -q 'tail.skerry_omp_add_last' output && grep -q 'tail.skerry_omp_post_last' output || fail "an addition by the tree: $(cat output)"
changed "amoadd.w zero,a5,0(a0) lia5,1 ret " 'amoadd.w zero,a5,0(a0)' 'li\ta5,1' 'ret'
changed "amoadd.w a5,a5,0(a0) ret " 'amoadd.w a5,a5,0(a0)' 'ret'
changed "amoadd.w zero,a5,0(a0) tailGOMP_barrier " 'amoadd.w zero,a5,0(a0)' 'tail\tGOMP_barrier'
printf 'f._omp_fn.0:\n\tamoadd.w zero,a5,0(a0)\n.L3:\n\tret\n' | awk -f "$folder/last_additions.awk" >output
grep -q skerry output && fail "an addition before a label: $(cat output)"
printf 'f:\n\tamoadd.w zero,a5,0(a0)\n\tret\n' | awk -f "$folder/last_additions.awk" >output
grep -q skerry output && fail "an addition of another function: $(cat output)"

# It replaces a reduction with which the function ends, and no other section between GOMP_atomic_start and GOMP_atomic_end.
reduced() { # reduced WORDS LINE...: the second version of the section of these lines has the words, or there is none if WORDS is empty
    expected=$1
    shift
    { printf 'f._omp_fn.0:\n'; printf '\t%b\n' 'call\tGOMP_atomic_start' "$@"; } | sed 's/^\t\(\.L[0-9]*:\)/\1/' |
        awk -f "$folder/last_reductions.awk" | sed '1,/^.Lskerry_reduce1:/d' | tr '\t' ' ' | tr '\n' ';' >output
    [ "$(cat output)" = "$expected" ] || fail "the reduction becomes $(cat output)"
}
reduced ' addi t2,s1,8; fmv.d ft9,fs0; mv a0,t2; fmv.d fa0,ft9; mv a3,t1; li a4,32; lw ra,12(sp); addi sp,sp,16; tail skerry_omp_reduce_last;' \
    'fld\tfa5,8(s1)' 'lw\tra,12(sp)' 'fadd.d\tfa5,fa5,fs0' 'fsd\tfa5,8(s1)' 'addi\tsp,sp,16' 'tail\tGOMP_atomic_end'
reduced ' lui t2,%hi(x); addi t2,t2,%lo(x); mv t4,s2; lui t3,%hi(y); addi t3,t3,%lo(y); mv t5,s3; mv a0,t2; mv a5,t4; mv a1,t3; mv a6,t5; mv a3,t1; li a4,1537; tail skerry_omp_reduce_last;' \
    'lui\ta4,%hi(x)' 'lw\ta5,%lo(x)(a4)' 'add\ta5,a5,s2' 'sw\ta5,%lo(x)(a4)' 'lui\ta4,%hi(y)' 'lw\ta5,%lo(y)(a4)' \
    'bge\ta5,s3,.L9' 'mv\ta5,s3' '.L9:' 'sw\ta5,%lo(y)(a4)' 'call\tGOMP_atomic_end' 'ret'
reduced ' addi t2,s0,0; lui a5,%hi(.LC0); fld fa4,%lo(.LC0)(a5); fmv.d ft9,fa4; mv a0,t2; fmv.d fa0,ft9; mv a3,t1; li a4,32; tail skerry_omp_reduce_last;' \
    'lui\ta5,%hi(.LC0)' 'fld\tfa5,0(s0)' 'fld\tfa4,%lo(.LC0)(a5)' 'fadd.d\tfa5,fa5,fa4' 'fsd\tfa5,0(s0)' 'tail\tGOMP_atomic_end'
reduced '' 'fld\tfa5,0(s1)' 'fsub.d\tfa5,fs0,fa5' 'fsd\tfa5,0(s1)' 'tail\tGOMP_atomic_end'                       # another operation
reduced '' 'fld\tfa5,0(s1)' 'fadd.d\tfa5,fa5,fs0' 'fsd\tfa5,0(s2)' 'tail\tGOMP_atomic_end'                       # to another variable
reduced '' 'fld\tfa5,0(s1)' 'fadd.d\tfa5,fa5,fa5' 'fsd\tfa5,0(s1)' 'tail\tGOMP_atomic_end'                       # twice the variable
reduced '' 'lw\ta4,0(s0)' 'fld\tfa5,0(a4)' 'fadd.d\tfa5,fa5,fs0' 'fsd\tfa5,0(a4)' 'tail\tGOMP_atomic_end'        # through a pointer
# It also replaces one before a barrier. Registers that the code behind it uses must be the same: s1, but not fs1.
reduced ' addi t2,s1,0; fmv.d ft9,fs0; mv a0,t2; fmv.d fa0,ft9; mv a3,t1; li a4,32; lw ra,12(sp); addi sp,sp,16; tail skerry_omp_reduce_barrier;' \
    'fld\tfa5,0(s1)' 'fadd.d\tfa5,fa5,fs0' 'fsd\tfa5,0(s1)' 'call\tGOMP_atomic_end' 'lw\tra,12(sp)' 'addi\tsp,sp,16' 'tail\tGOMP_barrier'
reduced ' addi t2,s3,%lo(x); addi s1,s1,1; fmv.d ft9,fs0; lui s4,%hi(y); li s5,7; mv a0,t2; fmv.d fa0,ft9; mv a3,t1; li a4,32; call skerry_omp_reduce_barrier;.Lskerry_reduced1:; bne s1,s5,.L3;' \
    'fld\tfa5,%lo(x)(s3)' 'addi\ts1,s1,1' 'fadd.d\tfa5,fa5,fs0' 'lui\ts4,%hi(y)' 'fsd\tfa5,%lo(x)(s3)' 'call\tGOMP_atomic_end' 'li\ts5,7' \
    'call\tGOMP_barrier' 'bne\ts1,s5,.L3'
reduced ' addi t2,s1,0; fmv.d ft9,fs0; mv a0,t2; fmv.d fa0,ft9; mv a3,t1; li a4,32; call skerry_omp_reduce_barrier; call GOMP_loop_end_nowait;.Lskerry_reduced1:;' \
    'fld\tfa5,0(s1)' 'fadd.d\tfa5,fa5,fs0' 'fsd\tfa5,0(s1)' 'call\tGOMP_atomic_end' 'call\tGOMP_loop_end'
reduced '' 'fld\tfs1,0(s1)' 'fadd.d\tfa5,fs1,fs0' 'fsd\tfa5,0(s1)' 'call\tGOMP_atomic_end' 'call\tGOMP_barrier'  # the old value is kept
reduced '' 'fld\tfa5,0(s1)' 'fadd.d\tfs1,fa5,fs0' 'fsd\tfs1,0(s1)' 'call\tGOMP_atomic_end' 'call\tGOMP_barrier'  # the new value is kept
reduced '' 'fld\tfa5,0(s1)' 'fadd.d\tfa5,fa5,fs0' 'fsd\tfa5,0(s1)' 'call\tGOMP_atomic_end' 'sw\ts2,0(s3)' 'call\tGOMP_barrier' # a store between
reduced '' 'fld\tfa5,0(s1)' 'fadd.d\tfa5,fa5,fs0' 'fsd\tfa5,0(s1)' 'call\tGOMP_atomic_end' '.L3:' 'call\tGOMP_barrier' # a jump to the barrier
reduced '' 'fld\tfa5,0(s1)' 'fadd.d\tfa5,fa5,fs0' 'fsd\tfa5,0(s1)' 'call\tGOMP_atomic_end' 'call\tf' 'ret'       # followed by a call
reduced '' 'lw\ta5,0(s1)' 'bge\ts3,a5,.L9' 'mv\ta5,s2' '.L9:' 'sw\ta5,0(s1)' 'tail\tGOMP_atomic_end'             # no maximum
reduced '' 'fld\tfa5,0(s1)' 'fadd.d\tfa5,fa5,fs0' 'tail\tGOMP_atomic_end'                                        # no store

# It also replaces a loop with a compare-swap with which the function ends.
swapped() { # swapped WORDS LINE...: the second version has the words, or there is none if WORDS is empty
    expected=$1
    shift
    { printf 'f._omp_fn.0:\n'; printf '\t%b\n' "$@"; } | sed 's/^\t\(\.L[0-9]*:\)/\1/' |
        awk -f "$folder/last_swaps.awk" | sed '1,/^.Lskerry_swap1:/d' | sed '/tail.*skerry/q' | tr '\t' ' ' | tr '\n' ';' >output
    [ "$(cat output)" = "$expected" ] || fail "the compare-swap becomes $(cat output)"
}
lr=' 1: lr.w a4,0(s0); bne a4,a5,1f; sc.w a2,a3,0(s0); bnez a2,1b; 1:'
swapped ' addi s0,s0,8; mv t2,s0; mv a0,t2; fmv.s fa0,fa5; mv a3,t1; li a4,80; lw ra,12(sp); addi sp,sp,16; tail skerry_omp_reduce_last;' \
    'lw\ta5,8(s0)' 'addi\ts0,s0,8' '.L5:' 'fmv.w.x\tfa4,a5' 'fadd.s\tfa4,fa5,fa4' 'fmv.x.w\ta3,fa4' "$lr" 'bne\ta5,a4,.L13' \
    'lw\tra,12(sp)' 'addi\tsp,sp,16' 'jr\tra' '.L13:' 'mv\ta5,a4' 'j\t.L5'
swapped ' mv t2,a0; mv t4,a1; mv a0,t2; mv a5,t4; mv a3,t1; li a4,66; tail skerry_omp_reduce_last;' \
    'lw\ta5,0(a0)' '.L5:' 'mul\ta2,a1,a5' ' 1: lr.w a4,0(a0); bne a4,a5,1f; sc.w a3,a2,0(a0); bnez a3,1b; 1:' 'bne\ta5,a4,.L13' 'ret'
# The four forms of a maximum and a minimum, with the new value in a3, the old one in a5 and the thread's in s1.
select() { # select KIND FIRST BRANCH SECOND
    swapped " addi s0,s2,4; mv t2,s0; mv t4,s1; mv a0,t2; mv a5,t4; mv a3,t1; li a4,$1; tail skerry_omp_reduce_last;" \
        'lw\ta5,4(s2)' 'addi\ts0,s2,4' '.L5:' "mv\ta3,$2" "$3,.L9" "mv\ta3,$4" '.L9:' "$lr" 'mv\ta3,a5' 'mv\ta5,a4' 'bne\ta3,a4,.L5' 'ret'
}
select 70 s1 'bge\ts1,a5' a5
select 71 s1 'ble\ts1,a5' a5
select 71 a5 'bge\ts1,a5' s1
select 72 a5 'bleu\ts1,a5' s1
select 73 a5 'bltu\ta5,s1' s1
end="ret"
add='fadd.s\tfa4,fa5,fa4'
for case in "fsub.s\tfa4,fa5,fa4 $end" "fadd.s\tfa4,fa4,fa4 $end" "$add tail\tGOMP_barrier" "$add call\tf"; do
    # shellcheck disable=SC2086 # two words
    set -- $case
    swapped '' 'lw\ta5,8(s0)' 'addi\ts0,s0,8' '.L5:' 'fmv.w.x\tfa4,a5' "$1" 'fmv.x.w\ta3,fa4' "$lr" 'bne\ta5,a4,.L13' "$2"
done
# The same before a barrier, and with a static variable whose address is computed in the loop.
end='call\tGOMP_barrier'
swapped ' addi s0,s0,8; mv t2,s0; mv a0,t2; fmv.s fa0,fa5; mv a3,t1; li a4,80; addi s1,s1,1; call skerry_omp_reduce_barrier;.Lskerry_swapped1:; bne s1,s5,.L9;' \
    'lw\ta5,8(s0)' 'addi\ts0,s0,8' '.L5:' 'fmv.w.x\tfa4,a5' 'fadd.s\tfa4,fa5,fa4' 'fmv.x.w\ta3,fa4' "$lr" 'bne\ta5,a4,.L13' 'addi\ts1,s1,1' "$end" \
    'bne\ts1,s5,.L9'
swapped ' addi s0,s4,%lo(x); mv t2,s0; mv t4,a7; mv a0,t2; mv a5,t4; mv a3,t1; li a4,70; call skerry_omp_reduce_barrier;.Lskerry_swapped1:;' \
    'lw\ta5,%lo(x)(s3)' '.L5:' 'mv\ta3,a7' 'bge\ta7,a5,.L9' 'mv\ta3,a5' '.L9:' 'addi\ts0,s4,%lo(x)' "$lr" 'mv\ta3,a5' 'mv\ta5,a4' 'bne\ta3,a4,.L5' "$end"
swapped '' 'lw\ta5,8(s0)' 'addi\ts0,s0,8' '.L5:' 'mul\ts3,s1,a5' " 1: lr.w a4,0(s0); bne a4,a5,1f; sc.w a2,s3,0(s0); bnez a2,1b; 1:" 'bne\ta5,a4,.L13' \
    "$end" # the new value is kept
swapped '' 'lw\ta5,8(s0)' 'sw\ta5,4(s2)' 'addi\ts0,s0,8' '.L5:' 'mul\ta3,s1,a5' "$lr" 'bne\ta5,a4,.L13' 'ret' # another use of the old value
swapped '' 'lw\ta5,8(s1)' 'addi\ts0,s0,8' '.L5:' 'mul\ta3,s1,a5' "$lr" 'bne\ta5,a4,.L13' 'ret'                 # of another variable
swapped '' 'lw\ta5,8(s0)' 'addi\ts0,s0,8' '.L5:' 'mul\ta3,a5,a5' "$lr" 'bne\ta5,a4,.L13' 'ret'
true
