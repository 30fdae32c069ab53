// SPDX-License-Identifier: BSD-3-Clause
// A program that is called in between finds every register, the flags, the FPU's mode and a hardware loop's registers again,
// whatever the function has used.
#include "check.h"

#define ROUNDS 40
#define BYTES 256

static int data, finished;
static char block[BYTES], copy[16][BYTES];

// int hold(void): 0 when all was as it had been. r63 counts, r62 helps to look.
#define EACH                                                                                                           \
    "0,1,2,3,4,5,6,7,8,9,10,11,12,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,"   \
    "41,"                                                                                                              \
    "42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,62"
#define KEPT "4,5,6,7,8,9,10,11,14,15,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43"
int hold(void);
__asm__(".section .text.hold,\"ax\"\n"
        ".balign 8\n"
        ".global _hold\n"
        "_hold:\n"
        "sub sp, sp, #256\n"
        ".irp n," KEPT "\nstr r\\n, [sp, #\\n + 2]\n.endr\n"
        "movfs r1, config\n"
        "mov r2, #0xffef\n"
        "movt r2, #0xfff1\n"
        "and r2, r1, r2\n"
        "mov r3, #0x0001\n"  // truncate
        "movt r3, #0x0008\n" // integers
        "orr r2, r2, r3\n"
        "movts config, r2\n"
        "str r1, [sp, #2]\n"
        "str r2, [sp, #3]\n"
        "mov r1, #0xfff0\n"
        "movts ls, r1\n"
        "movts le, r1\n"
        "movts lc, r1\n"
        ".irp n," EACH "\nmov r\\n, #0x5a00 + \\n\n.endr\n"
        "mov r63, #3000\n"
        ".Lspin:\n"
        "sub r63, r63, #1\n"
        "nop\nnop\nnop\nnop\n"
        "bne .Lspin\n"
        ".irp n," EACH "\n"
        "mov r63, #0x5a00 + \\n\n"
        "sub r63, r\\n, r63\n"
        "bne .Lwrong\n"
        ".endr\n"
        "mov r1, #0xfff0\n"
        "movfs r2, ls\nsub r2, r2, r1\nbne .Lwrong\n"
        "movfs r2, le\nsub r2, r2, r1\nbne .Lwrong\n"
        "movfs r2, lc\nsub r2, r2, r1\nbne .Lwrong\n"
        "movfs r2, config\nldr r1, [sp, #3]\nsub r2, r2, r1\nbne .Lwrong\n"
        "mov r0, #0\n"
        "b .Lend\n"
        ".Lwrong:\n"
        "mov r0, #1\n"
        ".Lend:\n"
        "mov r1, #0\n"
        "movts lc, r1\n"
        "ldr r1, [sp, #2]\n"
        "movts config, r1\n"
        ".irp n," KEPT "\nldr r\\n, [sp, #\\n + 2]\n.endr\n"
        "add sp, sp, #256\n"
        "rts\n"
        ".text");

// Everything that a function may change, and floating point as it must be found.
static int use_all(int *p, int add) {
    float half = (float)add * 0.5f;
    __asm__ volatile(".irp n,16,17,18,19,20,21,22,23,24,25,26,27,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59,60,61,"
                     "62,63\nmov r\\n, #0x7777\n.endr\n"
                     "sub r16, r16, r16"
                     :
                     :
                     : "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27", "r44", "r45",
                       "r46", "r47", "r48", "r49", "r50", "r51", "r52", "r53", "r54", "r55", "r56", "r57", "r58", "r59",
                       "r60", "r61", "r62", "r63", "cc");
    return *localize(p) + (int)(half + half);
}
RPC(use_all)

// Copies with a hardware loop, here and by way of an interrupt.
static int copy_from(char *to, int from, int who) {
    to = localize(to);
    shmem_getmem(to, block, BYTES, from);
    return to[who];
}
RPC(copy_from)

int main(void) {
    test_begin();
    for (int i = 0; i < BYTES; i++) block[i] = (char)(me + i);
    data = 100 + me;
    shmem_barrier_all();
    for (int held = 0; held < (pes < 3 ? pes : 3); held++) {
        shmem_barrier_all();
        if (me == held) {
            for (int i = 0; i < ROUNDS; i++) CHECK(hold() == 0);
            shmem_int_wait_until(&finished, SHMEM_CMP_EQ, pes - 1);
            finished = 0;
        } else {
            for (int i = 0; i < ROUNDS; i++) {
                CHECK(use_all_rpc(shmem_ptr(&data, held), 2 * i) == 100 + held + 2 * i);
                int from = (me + i) % pes;
                CHECK(copy_from_rpc(shmem_ptr(copy[me], held), from, me) == (char)(from + me));
            }
            shmem_int_atomic_inc(&finished, held);
        }
    }
    return test_end();
}
