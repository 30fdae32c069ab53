; SPDX-License-Identifier: BSD-3-Clause
; Short sequences whose cycles are known. Each begins at a label, at a multiple of 8, and ends in BKPT. record.sh assembles
; them into programs.inc, so that the tests need no cross tools.
    .text
    .macro sequence name
    .balign 8
    .global \name
\name:
    .endm

    sequence integers
    add r1,r1,1
    add r2,r2,1
    add r3,r3,r2
    add r4,r3,r2
    bkpt

    sequence dual
    fadd.l r16,r17,r18
    add.l r1,r1,1
    add.l r2,r2,1
    fadd.l r19,r20,r21
    fadd.l r22,r23,r24
    mov.l r3,5
    bkpt

    sequence dual_needs_result
    mov.l r1,5
    fadd.l r16,r1,r18
    bkpt

    sequence two_floats
    fadd.l r16,r17,r18
    fadd.l r19,r20,r21
    fadd.l r22,r23,r24
    bkpt

    sequence float_to_float
    fadd.l r16,r17,r18
    fmul.l r19,r16,r16
    bkpt

    sequence float_to_store
    fadd.l r16,r17,r18
    str.l r16,[r40,+0]
    bkpt

    sequence float_to_integer
    fadd.l r16,r17,r18
    add.l r1,r16,1
    bkpt

    sequence float_to_branch
    fsub.l r16,r17,r17
    bbne skipped
skipped:
    bkpt

    sequence load_to_integer
    ldr.l r1,[r40,+0]
    add.l r2,r1,1
    bkpt

    sequence load_to_float
    ldr.l r1,[r40,+0]
    fadd.l r2,r1,r1
    bkpt

    sequence load_base
    ldr.l r1,[r40],+1
    ldr.l r2,[r40],+1
    ldr.l r3,[r40],+1
    bkpt

    sequence branch_taken
    b taken
    nop
taken:
    bkpt

    sequence branch_not_taken
    mov r1,1
    sub r1,r1,1
    bne not_taken
    nop
not_taken:
    bkpt

    sequence straddling
    b split
    nop
    nop
split:
    add.l r1,r1,1
    bkpt

; r49 rounds of 5 double-word loads, each beside a multiply-add, from r47 to r48.
    sequence loop
    movts ls,r47
    movts le,r48
    movts lc,r49
    nop
    nop
loop_begin:
    fmadd.l r16,r24,r25
    ldrd.l r32,[r40],+1
    fmadd.l r17,r24,r25
    ldrd.l r34,[r40],+1
    fmadd.l r18,r24,r25
    ldrd.l r36,[r40],+1
    fmadd.l r19,r24,r25
    ldrd.l r38,[r40],+1
    fmadd.l r20,r24,r25
loop_end:
    ldrd.l r42,[r40],+1
    bkpt

    sequence loads
    ldr.l r1,[r40,+0]
    ldr.l r2,[r40,+1]
    ldr.l r3,[r40,+2]
    ldr.l r4,[r40,+3]
    bkpt

    sequence remote_load
    ldr.l r1,[r41,+0]
    add.l r2,r1,1
    bkpt

    sequence test_and_set
    testset.l r1,[r40,r42]
    testset.l r2,[r40,r42]
    bkpt

; r0 counts what the handler of the user interrupt (at 0x24, placed by the test) does.
    sequence interrupts
    gie
    mov r1,0x200
    movts ilatst,r1
    add r2,r2,1
    bkpt

    sequence masked
    mov r1,0x200
    movts imask,r1
    gie
    movts ilatst,r1
    add r2,r2,1
    add r2,r2,1
    movts imask,r3
    add r2,r2,1
    bkpt

    sequence user_handler
    movfs r5,ipend
    add r0,r0,1
    rti

; While it is served, GIE lets only more urgent ones in.
    sequence nesting_handler
    movfs.l r16,ipend
    mov r4,0x210
    gie
    movts ilatst,r4
    movfs.l r17,ipend
    rti

    sequence timer_handler
    movfs.l r18,ipend
    add r6,r6,1
    rti

    sequence wait_timer
    mov r1,0x10
    movts config,r1
    mov r2,100
    movts ctimer0,r2
    gie
    idle
    movfs r3,ctimer0
    bkpt

    sequence sleep
    idle
    bkpt

; R2 is the address of the ADD: the second round adds something else, so what was decoded must be forgotten.
    sequence rewritten
    mov r3,0
again:
    add r3,r3,1
    strh.l r1,[r2,+0]
    sub.l r5,r5,1
    bne again
    bkpt

    sequence register_file
    ldr.l r1,[r43,+5]
    mov r6,77
    str.l r6,[r43,+7]
    ldr.l r2,[r44,+1]
    bkpt

; Halts another core through its DEBUGCMD at r44, looks at its register at r45 twice, lets it go on, looks again.
    sequence halts_another
    mov r1,1
    str.l r1,[r44,+0]
    mov r5,200
halting:
    sub r5,r5,1
    bne halting
    ldr.l r2,[r45,+0]
    mov r5,200
halted:
    sub r5,r5,1
    bne halted
    ldr.l r3,[r45,+0]
    str.l r5,[r44,+0]
    mov r5,200
going_on:
    sub r5,r5,1
    bne going_on
    ldr.l r4,[r45,+0]
    bkpt

    sequence unaligned
    nop
    ldr.l r1,[r45,+0]
    bkpt

    sequence nowhere
    nop
    str.l r1,[r46,+0]
    bkpt

    sequence wand_barrier
    gie
    wand
    idle
    bkpt

    sequence exits
    mov r0,7
    trap 3
    bkpt

    sequence spin
    b spin

    sequence watched
    mov r1,7
    ldr r2,[r40,1]
    str r1,[r40,1]
    fadd r16,r17,r18
    ldr r3,[r40,2]
    mov r4,8
    str r1,[r40,r4]
    strb r1,[r40,8]
    bkpt
