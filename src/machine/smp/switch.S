// SPDX-License-Identifier: BSD-3-Clause
// Switches a core from one worker to another. Stores three things on the worker's stack:
// * the registers that a function must preserve according to the calling convention
// * the worker's thread pointer
// * the floating-point modes
    .option arch, +zicsr
    .equ    frame, 160          // a multiple of 16; the layout is that of struct frame in worker.c
    .equ    floats, 64          // offset of the first floating-point register

    .text
    .globl  skerry_switch
    .type   skerry_switch, @function
skerry_switch:
    addi    sp, sp, -frame
    sw      ra, 0(sp)
    sw      tp, 4(sp)
    sw      s0, 8(sp)
    sw      s1, 12(sp)
    sw      s2, 16(sp)
    sw      s3, 20(sp)
    sw      s4, 24(sp)
    sw      s5, 28(sp)
    sw      s6, 32(sp)
    sw      s7, 36(sp)
    sw      s8, 40(sp)
    sw      s9, 44(sp)
    sw      s10, 48(sp)
    sw      s11, 52(sp)
    frcsr   t0
    sw      t0, 56(sp)
    fsd     fs0, floats(sp)
    fsd     fs1, floats+8(sp)
    fsd     fs2, floats+16(sp)
    fsd     fs3, floats+24(sp)
    fsd     fs4, floats+32(sp)
    fsd     fs5, floats+40(sp)
    fsd     fs6, floats+48(sp)
    fsd     fs7, floats+56(sp)
    fsd     fs8, floats+64(sp)
    fsd     fs9, floats+72(sp)
    fsd     fs10, floats+80(sp)
    fsd     fs11, floats+88(sp)
    sw      sp, 0(a0)
    mv      sp, a1
    lw      ra, 0(sp)
    lw      tp, 4(sp)
    lw      s0, 8(sp)
    lw      s1, 12(sp)
    lw      s2, 16(sp)
    lw      s3, 20(sp)
    lw      s4, 24(sp)
    lw      s5, 28(sp)
    lw      s6, 32(sp)
    lw      s7, 36(sp)
    lw      s8, 40(sp)
    lw      s9, 44(sp)
    lw      s10, 48(sp)
    lw      s11, 52(sp)
    lw      t0, 56(sp)
    fscsr   t0
    fld     fs0, floats(sp)
    fld     fs1, floats+8(sp)
    fld     fs2, floats+16(sp)
    fld     fs3, floats+24(sp)
    fld     fs4, floats+32(sp)
    fld     fs5, floats+40(sp)
    fld     fs6, floats+48(sp)
    fld     fs7, floats+56(sp)
    fld     fs8, floats+64(sp)
    fld     fs9, floats+72(sp)
    fld     fs10, floats+80(sp)
    fld     fs11, floats+88(sp)
    addi    sp, sp, frame
    ret
    .size   skerry_switch, . - skerry_switch

    // A new worker begins here, with its struct skerry_worker in s1 (worker.c).
    .globl  skerry_worker_enter
    .type   skerry_worker_enter, @function
skerry_worker_enter:
    mv      a0, s1
    li      s1, 0
    j       skerry_worker_run
    .size   skerry_worker_enter, . - skerry_worker_enter
