; SPDX-License-Identifier: BSD-3-Clause
; Short programs that go wrong, or wait for ever, or seem to. ../core/record.sh records them into programs.inc, so that the
; tests need no cross tools. r40 points to data in the core's own memory, r41 to whatever the test says.
    .text
    .macro sequence name
    .balign 8
    .global \name
\name:
    .endm

    sequence store_far
    str.l r1,[r41,+0]
    bkpt

    sequence load_far
    ldr.l r1,[r41,+0]
    add.l r2,r1,1
    bkpt

    sequence testset_far
    mov r42,0
    mov r1,1
    testset.l r1,[r41,r42]
    bkpt

    sequence jump_far
    jr r41

    sequence illegal
    mov r1,1
    .short 0x000f, 0x000f

; Goes down 64 bytes a call.
    sequence recurses
    mov sp,0x7ff0
again:
    sub sp,sp,64
    bl again
    bkpt

; Sets the stack after a branch.
    sequence late_stack
    b set_stack
    nop
set_stack:
    mov sp,0x7ff0
    b use_stack
    nop
use_stack:
    bkpt

    sequence poll
still_zero:
    ldr.l r1,[r41,+0]
    sub r2,r1,0
    beq still_zero
    bkpt

; As a compiler that does not optimise would: through its stack, in a function of its own.
    sequence poll_by_call
    mov sp,0x7ff0
poll_again:
    bl look
    sub r2,r0,0
    beq poll_again
    bkpt
look:
    str.l lr,[sp,+0]
    str.l r41,[sp,+1]
    ldr.l r3,[sp,+1]
    ldr.l r0,[r3,+0]
    ldr.l lr,[sp,+0]
    jr lr

; Polls, but not for ever.
    sequence poll_counted
    mov r3,0
    movt r3,0x10
counted:
    ldr.l r1,[r41,+0]
    sub r3,r3,1
    bne counted
    bkpt

; Waits until the timer is low, and forgets in between what it has read.
    sequence poll_timer
    mov r1,0
    movt r1,0x40
    movts ctimer0,r1
    mov r1,0x10
    movts config,r1
    mov r4,0
    movt r4,0x10
timer_high:
    mov r2,0
    movfs r2,ctimer0
    sub r3,r2,r4
    mov r2,0
    mov r3,0
    bgtu timer_high
    bkpt

; Waits for the latch of the timer's interrupt, which is masked.
    sequence poll_latch
    mov r1,0x3ff
    movts imask,r1
    mov r1,0
    movt r1,0x30
    movts ctimer0,r1
    mov r1,0x10
    movts config,r1
    mov r4,8
not_latched:
    movfs r2,ilat
    and r2,r2,r4
    beq not_latched
    bkpt

; Waits for the latch of WAND, which nobody gives, while a timer counts as a clock.
    sequence poll_latch_by_clock
    mov r1,0x3ff
    movts imask,r1
    mov r1,0
    sub r1,r1,1
    movts ctimer0,r1
    mov r1,0x10
    movts config,r1
    mov r4,0x100
nobody_there:
    movfs r2,ilat
    and r2,r2,r4
    beq nobody_there
    bkpt

; Writes the word that another polls, after a while.
    sequence releases
    mov r3,0
    movt r3,0x18
wait_long:
    sub r3,r3,1
    bne wait_long
    mov r1,1
    str.l r1,[r41,+0]
    bkpt

    sequence sleeps
    gie
    idle
    bkpt

    sequence breaks_all
    mov r2,0
    movt r2,0x80
    movts config,r2
    mbkpt
    add r1,r1,1
    bkpt

    sequence counts
    add r1,r1,1
    b counts
