// SPDX-License-Identifier: BSD-3-Clause
// Measures remote procedure calls with the dot product of the paper Ross and Richie 2018, and checks every result. The
// program measures the dot product
// * on local data;
// * on the neighbour's data, by a call to the neighbour's core and by plain remote loads;
// * by calls of all cores at once, each to the next core;
// * by calls of all cores to core 0, whose ring (its queue of calls) has 0 to 15 places.
#include "chip.h"

#include <skerry/rpc/ring/ring.h>

SHMEMX_RPC_DEPTH(15)

static int me, pes, next;

#define FLOATS_MAX 2048
// `a` and `b` fill one memory bank of 8 KB. Code and stack are in the other banks. Loads of the elements of `a` and `b`
// therefore do not compete with accesses to code and stack.
static float memory[2 * FLOATS_MAX] __attribute__((aligned(8192)));
static float *const a = memory, *const b = memory + FLOATS_MAX;

// Returns the dot product. Both operands must be aligned to double words (8 bytes); `n` can be any number. A round of
// the hardware loop multiplies eight elements in eight cycles. In each cycle the core issues two instructions together:
// the load of a double word, and a fused multiply-add of values that it loaded four to seven cycles before. Four of the
// eight elements that a round loads are multiplied in the next round. The first round multiplies zeros in their place.
// The function restores lc, ls and le, the registers of the hardware loop. A program is allowed to call it inside a
// hardware loop.
float dotprod_here(const float *x, const float *y, int n);
__asm__(".section .text.dotprod_here,\"ax\"\n"
        ".balign 8\n"
        ".global _dotprod_here\n"
        "_dotprod_here:\n"
        "mov r44, #0\n"
        "lsr r3, r2, #3\n"
        "mov r45, #0\n"
        "mov r46, #0\n"
        "mov r47, #0\n"
        "sub r12, r3, #2\n"
        "blt .Lpairs\n"
        "movfs r61, lc\n"
        "movfs r62, ls\n"
        "movfs r63, le\n"
        "mov r12, %low(.Lround)\n"
        "movt r12, %high(.Lround)\n"
        "movts ls, r12\n"
        "mov r12, %low(.Lround_end)\n"
        "movt r12, %high(.Lround_end)\n"
        "movts le, r12\n"
        "movts lc, r3\n"
        "mov r48, #0\n"
        "mov r49, #0\n"
        "mov r50, #0\n"
        "mov r51, #0\n"
        "mov r20, #0\n"
        "mov r21, #0\n"
        "mov r22, #0\n"
        "mov r23, #0\n"
        "mov r54, #0\n"
        "mov r55, #0\n"
        "mov r56, #0\n"
        "mov r57, #0\n"
        ".balignw 8, 0x01a2\n"
        ".Lround:\n"
        "ldrd r16, [r0], #1\n"
        "fmadd r48, r20, r54\n"
        "ldrd r24, [r1], #1\n"
        "fmadd r49, r21, r55\n"
        "ldrd r18, [r0], #1\n"
        "fmadd r50, r22, r56\n"
        "ldrd r52, [r1], #1\n"
        "fmadd r51, r23, r57\n"
        "ldrd r20, [r0], #1\n"
        "fmadd r44, r16, r24\n"
        "ldrd r54, [r1], #1\n"
        "fmadd r45, r17, r25\n"
        "ldrd r22, [r0], #1\n"
        "fmadd r46, r18, r52\n"
        "ldrd r56, [r1], #1\n"
        ".Lround_end:\n"
        "fmadd r47, r19, r53\n"
        "movts ls, r62\n"
        "fmadd r48, r20, r54\n"
        "movts le, r63\n"
        "fmadd r49, r21, r55\n"
        "movts lc, r61\n"
        "fmadd r50, r22, r56\n"
        "lsl r2, r2, #29\n"
        "fmadd r51, r23, r57\n"
        "lsr r2, r2, #29\n"
        "fadd r44, r44, r48\n"
        "fadd r45, r45, r49\n"
        "fadd r46, r46, r50\n"
        "fadd r47, r47, r51\n"
        ".Lpairs:\n"
        "sub r2, r2, #2\n"
        "blt .Llast\n"
        ".Lpair:\n"
        "ldrd r16, [r0], #1\n"
        "ldrd r24, [r1], #1\n"
        "sub r2, r2, #2\n"
        "fmadd r44, r16, r24\n"
        "fmadd r45, r17, r25\n"
        "bgte .Lpair\n"
        ".Llast:\n"
        "add r2, r2, #1\n"
        "blt .Lsum\n"
        "ldr r16, [r0]\n"
        "ldr r24, [r1]\n"
        "fmadd r46, r16, r24\n"
        ".Lsum:\n"
        "fadd r44, r44, r45\n"
        "fadd r46, r46, r47\n"
        "fadd r0, r44, r46\n"
        "rts\n"
        ".text");
RPC(dotprod_here)

float dotprod(const float *x, const float *y, int n);
float dotprod(const float *x, const float *y, int n) {
    return dotprod_here(localize(x), localize(y), n);
}
RPC(dotprod)

static void nothing(void *where);
static void nothing(void *where) {
    (void)where;
}
RPC(nothing)

// Returns the bits of a float. Results are compared as bits, because the compiler makes a function call of a comparison
// of floats. The comparison is exact, because a result is a sum of ones.
static uint32_t bits_of(float value) {
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define MEASURE(NAME, ALONE, COUNT, CALL)                                                                              \
    do {                                                                                                               \
        shmem_barrier_all();                                                                                           \
        uint32_t cycles = NOT_MEASURED;                                                                                \
        float result = 0;                                                                                              \
        if (!(ALONE) || me == 0) {                                                                                     \
            cycles = CYCLES(for (int i_ = 0; i_ < (COUNT); i_++) result = (CALL));                                     \
            check(result, bits_of((float)n));                                                                          \
        }                                                                                                              \
        shmem_barrier_all();                                                                                           \
        note(NAME, (ALONE) ? 1 : pes, 8 * (uint32_t)n, cycles);                                                        \
    } while (0)

#define CALLS 8 // consecutive calls of each PE if all PEs call at once; the figure is the time of these 8 calls

#ifndef ONLY_CROWD

static const uint16_t sizes[] = {2, 4, 8, 12, 16, 24, 32, 48, 64, 128, 256, 512, 1024, 2048};

static void check(float result, uint32_t expected) {
    if (bits_of(result) != expected) shmem_global_exit(4);
}

static void measure_sizes(void) {
    const float *near_a = shmem_ptr(a, me), *near_b = shmem_ptr(b, me);
    const float *far_a = shmem_ptr(a, next), *far_b = shmem_ptr(b, next);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int n = sizes[i];
        MEASURE("dot_local", true, 1, dotprod_here(a, b, n));
        MEASURE("dot_localized", true, 1, dotprod(near_a, near_b, n));
        MEASURE("dot_own_rpc", true, 1, dotprod_rpc(near_a, near_b, n));
        MEASURE("dot_remote", true, 1, dotprod_here(far_a, far_b, n));
        MEASURE("dot_rpc", true, 1, dotprod_rpc(far_a, far_b, n));
        MEASURE("dot_symmetric", false, CALLS, dotprod_rpc(far_a, far_b, n));
    }
}

static void measure_empty(void) {
    void *far = shmem_ptr(a, next);
    for (int count = 1; count <= 16; count += 15) {
        shmem_barrier_all();
        uint32_t cycles = NOT_MEASURED;
        if (me == 0) cycles = CYCLES(for (int i = 0; i < count; i++) nothing_rpc(far));
        shmem_barrier_all();
        note("rpc_empty", 1, (uint32_t)count, cycles);
    }
}

#endif

// Number of calls that each PE makes to core 0; core 0 itself calls the function too. measure_many_to_one prints four
// rows. The first row has cycles. The other three rows have numbers of calls: calls that were put into core 0's queue,
// calls that the caller ran itself, and calls that interrupted core 0.
#define MANY_TO_ONE_CALLS 16

static void measure_many_to_one(const char *const names[4], int depth, int n) {
    const float *far_a = shmem_ptr(a, 0), *far_b = shmem_ptr(b, 0);
    uint32_t expected = bits_of((float)n), wrong = 0;
    skerry_rpc.depth = 32 * (uint32_t)depth;
    skerry_rpc.sent = skerry_rpc.run_here = skerry_rpc.interrupting = 0;
    shmem_barrier_all();
    uint32_t cycles =
        CYCLES(for (int i = 0; i < MANY_TO_ONE_CALLS; i++) wrong |= bits_of(dotprod_rpc(far_a, far_b, n)) ^ expected);
    shmem_barrier_all();
    if (wrong) shmem_global_exit(4);
    note(names[0], pes, (uint32_t)depth, cycles);
    note(names[1], pes, (uint32_t)depth, skerry_rpc.sent);
    note(names[2], pes, (uint32_t)depth, skerry_rpc.run_here);
    note(names[3], pes, (uint32_t)depth, skerry_rpc.interrupting);
}

#define CROWD(N)                                                                                                       \
    do {                                                                                                               \
        static const char *const names[] = {"crowd_" #N, "crowd_sent_" #N, "crowd_run_here_" #N,                       \
                                            "crowd_interrupting_" #N};                                                 \
        for (int depth = 0; depth <= 15; depth++) measure_many_to_one(names, depth, N);                                \
    } while (0)

int main(void) {
    shmem_init();
    timer_start();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    next = me + 1 < pes ? me + 1 : 0;
    for (int i = 0; i < FLOATS_MAX; i++) a[i] = b[i] = 1;
#ifndef ONLY_CROWD
    measure_empty();
    measure_sizes();
#endif
    CROWD(16);
    CROWD(64);
    CROWD(256);
    CROWD(1024);
    tell();
    shmem_finalize();
    return 0;
}
