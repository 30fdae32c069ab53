// SPDX-License-Identifier: BSD-3-Clause
// Arguments and results in all registers of the calling convention arrive, in every way to make a call. The interrupted
// program finds all its registers, and the flags of floating-point arithmetic, as they were.
#include "../rpc/rpc.h"

#include <complex.h>
#include <fenv.h>

static long target, go;

static double all(long *at, int a, double p, int b, float q, int64_t c, double r, int d, float s, int e, double t,
                  double u, float v, double w) {
    add_to(at, 1);
    return a + 2 * b + 3 * (double)c + 4 * d + 5 * e + p + 2 * (double)q + 3 * r + 4 * (double)s + 5 * t + 6 * u +
           7 * (double)v + 8 * w;
}
RPC(all)

static float complex turned(long *at, float complex a) {
    add_to(at, 1);
    return a * I;
}
RPC(turned)

static double complex scaled(long *at, double complex a, int by) {
    add_to(at, 1);
    return a * by;
}
RPC(scaled)

static int64_t wide(long *at, int64_t a) {
    add_to(at, 1);
    return a + 1;
}
RPC(wide)

static double sum(long *at, const void *block, size_t bytes, double factor, int more, float other) {
    const float *values = block;
    double result = 0;
    add_to(at, 1);
    for (size_t i = 0; i < bytes / sizeof *values; i++) result += (double)values[i];
    return result * factor + more + (double)other;
}
RPC_BLOCK(sum)

static void call_each(long *at) {
    double expected = 1 + 4 + 3.0 * ((int64_t)1 << 40) + 16 + 25 + 0.5 + 1 + 4.5 + 8 + 12.5 + 18 + 24.5 + 32, got = 0;
    double result = all_rpc(at, 1, 0.5, 2, 0.5F, (int64_t)1 << 40, 1.5, 4, 2, 5, 2.5, 3, 3.5F, 4);
    REQUIRE(result == expected, "%g, not %g", result, expected);
    REQUIRE(turned_rpc(at, 1 + 2 * I) == -2 + I, "complex floats");
    REQUIRE(scaled_rpc(at, 1 + 2 * I, 3) == 3 + 6 * I, "complex doubles");
    REQUIRE(wide_rpc(at, INT64_MAX - 1) == INT64_MAX, "two words");
    const float values[] = {1, 2, 3.5F};
    REQUIRE(sum_rpc(at, values, sizeof values, 2, 7, 0.25F) == 20.25, "a block");
    shmemx_rpc_event_t event =
        shmemx_rpc_async(all, at, 1, 0.5, 2, 0.5F, (int64_t)1 << 40, 1.5, 4, 2, 5, 2.5, 3, 3.5F, 4);
    shmemx_rpc_wait(&event, &got);
    REQUIRE(got == expected, "an asynchronous call: %g, not %g", got, expected);
    float complex turn = 0;
    event = shmemx_rpc_async(turned, at, 1 + 2 * I);
    shmemx_rpc_wait(&event, &turn);
    REQUIRE(turn == -2 + I, "complex floats of an asynchronous call");
    double complex scale = 0;
    event = shmemx_rpc_async(scaled, at, 1 + 2 * I, 3);
    shmemx_rpc_wait(&event, &scale);
    REQUIRE(scale == 3 + 6 * I, "complex doubles of an asynchronous call");
    int64_t words = 0;
    event = shmemx_rpc_async(wide, at, INT64_MAX - 1);
    shmemx_rpc_wait(&event, &words);
    REQUIRE(words == INT64_MAX, "two words of an asynchronous call");
    event = shmemx_rpc_async(sum, at, values, sizeof values, 2, 7, 0.25F);
    shmemx_rpc_wait(&event, &got);
    REQUIRE(got == 20.25, "a block of an asynchronous call");
}
#define CALLS 10

// int hold(volatile long *word): fills all registers but the stack's, sp, gp and tp, with numbers until *word is not 0.
// Returns 0 if they have kept their values.
int hold(volatile long *word);
#define KEPT "s0,s1,s2,s3,s4,s5,s6,s7,s8,s9,s10,s11"
#define EACH "ra,t0,t1,t2,t3,t4,t5,t6,a1,a2,a3,a4,a5,a6,a7," KEPT
#define FLOATS "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"
__asm__(".section .text.hold,\"ax\"\n"
        ".global hold\n"
        "hold:\n"
        "addi sp, sp, -256\n"
        "sw ra, 0(sp)\n"
        ".set at, 4\n"
        ".irp r," KEPT "\nsw \\r, at(sp)\n.set at, at + 4\n.endr\n"
        ".set at, 64\n"
        ".irp r,8,9,18,19,20,21,22,23,24,25,26,27\nfsd f\\r, at(sp)\n.set at, at + 8\n.endr\n"
        ".set number, 0x5a0\n"
        ".irp r," FLOATS "\nli t0, number\nfcvt.d.w f\\r, t0\n.set number, number + 1\n.endr\n"
        "fsflags zero\n"
        ".set number, 0x3a0\n"
        ".irp r," EACH "\nli \\r, number\n.set number, number + 1\n.endr\n"
        "1: mv sp, sp\n" // only a0 is used while the loop waits
        "sw a0, 252(sp)\n"
        "lw a0, 0(a0)\n"
        "bnez a0, 2f\n"
        "lw a0, 252(sp)\n"
        "j 1b\n"
        "2: .set number, 0x3a0\n"
        ".irp r," EACH "\naddi \\r, \\r, -number\nbnez \\r, 3f\n.set number, number + 1\n.endr\n"
        "frflags a0\nbnez a0, 3f\n"
        ".set number, 0x5a0\n"
        ".irp r," FLOATS "\nfcvt.w.d t0, f\\r\naddi t0, t0, -number\nbnez t0, 3f\n.set number, number + 1\n.endr\n"
        "li a0, 0\n"
        "j 4f\n"
        "3: li a0, 1\n"
        "4: lw ra, 0(sp)\n"
        ".set at, 4\n"
        ".irp r," KEPT "\nlw \\r, at(sp)\n.set at, at + 4\n.endr\n"
        ".set at, 64\n"
        ".irp r,8,9,18,19,20,21,22,23,24,25,26,27\nfld f\\r, at(sp)\n.set at, at + 8\n.endr\n"
        "addi sp, sp, 256\n"
        "ret\n"
        ".text\n");

// PE 0 computes while the others call it.
static void interrupted(void) {
    if (me == 0) {
        REQUIRE(hold(&go) == 0, "a register has changed");
    } else {
        for (int i = 0; i < 3; i++) call_each(shmem_ptr(&target, 0));
        if (me == 1) shmem_long_p(&go, 1, 0);
    }
    shmem_barrier_all();
}

int main(void) {
    test_begin();
    for (int i = 0; i < pes; i++) call_each(shmem_ptr(&target, (me + i) % pes));
    shmem_barrier_all();
    REQUIRE(target == CALLS * pes, "%ld calls, not %d", target, CALLS * pes);
    call_each(&target); // the program's own address
    shmem_barrier_all();
    if (pes > 1) interrupted();
    return test_end();
}
