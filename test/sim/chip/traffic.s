; SPDX-License-Identifier: BSD-3-Clause
; What cores do to each other. ../core/record.sh assembles this into traffic.inc. The tests set the registers that a
; sequence begins with; each ends in BKPT.
    .text
    .macro sequence name
    .balign 8
    .global \name
\name:
    .endm

; A double word (r2, r3) to r1.
    sequence store_one
    strd.l r2,[r1,+0]
    bkpt

; r2 to r1, and back from there into r4.
    sequence store_load
    str.l r2,[r1,+0]
    ldr.l r4,[r1,+0]
    bkpt

; r5 times eight double words to r1 and on, as fast as they go.
    sequence stream
    strd.l r2,[r1],1
    strd.l r2,[r1],1
    strd.l r2,[r1],1
    strd.l r2,[r1],1
    strd.l r2,[r1],1
    strd.l r2,[r1],1
    strd.l r2,[r1],1
    strd.l r2,[r1],1
    sub.l r5,r5,1
    bne stream
    bkpt

; The same, always to the eight from r1 on, without an end.
    sequence flood
    strd.l r2,[r1,+0]
    strd.l r2,[r1,+1]
    strd.l r2,[r1,+2]
    strd.l r2,[r1,+3]
    strd.l r2,[r1,+4]
    strd.l r2,[r1,+5]
    strd.l r2,[r1,+6]
    strd.l r2,[r1,+7]
    b flood

; r5 times: takes the lock at r1, adds one to the word at r2, gives the lock back. r0 is 0.
    sequence locked_count
    mov.l r3,1
    testset.l r3,[r1,r0]
    sub.l r4,r3,0
    bne locked_count
    ldr.l r6,[r2,+0]
    add.l r6,r6,1
    str.l r6,[r2,+0]
    str.l r0,[r1,+0]
    sub.l r5,r5,1
    bne locked_count
    bkpt

; r5 loads from r1 on, added up in r4.
    sequence read_sum
    ldr.l r6,[r1],1
    add.l r4,r4,r6
    sub.l r5,r5,1
    bne read_sum
    bkpt

; r5 double words to and from core after core by chance (r10): what was written is read back, and r11 keeps what differs.
; r1 is the offset of this core's own place in every other, r7 and r8 the first core's row and column in an address, r9
; where external memory begins; every eighth goes there.
    sequence scatter
    lsl.l r12,r10,13
    eor.l r10,r10,r12
    lsr.l r12,r10,17
    eor.l r10,r10,r12
    lsl.l r12,r10,5
    eor.l r10,r10,r12
    lsr.l r13,r10,8
    mov.l r14,3
    and.l r12,r13,r14
    lsl.l r12,r12,26
    lsr.l r13,r13,2
    and.l r13,r13,r14
    lsl.l r13,r13,20
    add.l r12,r12,r13
    add.l r12,r12,r7
    add.l r12,r12,r8
    mov.l r14,0x70
    and.l r14,r10,r14
    bne on_chip
    mov.l r12,r9
on_chip:
    add.l r12,r12,r1
    mov.l r15,r5
    str.l r10,[r12,+0]
    str.l r15,[r12,+1]
    ldr.l r17,[r12,+1]
    ldr.l r16,[r12,+0]
    eor.l r16,r16,r10
    orr.l r11,r11,r16
    eor.l r17,r17,r15
    orr.l r11,r11,r17
    sub.l r5,r5,1
    bne scatter_on
    bkpt
scatter_on:
    b scatter

; Counts in r4 until the word at r1 is not zero.
    sequence poll
    add.l r4,r4,1
    ldr.l r6,[r1,+0]
    sub.l r6,r6,0
    beq poll
    bkpt

; Writes group r1 into MULTICAST and CONFIG's mode 3, then r2 to r3 within the group's address (r4).
    sequence multicast
    movts meshmulticast,r1
    movfs r5,config
    orr.l r5,r5,r6
    movts config,r5
    str.l r2,[r4,+0]
    bkpt

; A handler.
    sequence count_interrupt
    add.l r20,r20,1
    rti

; For ever.
    sequence wait_here
    b wait_here

    sequence sleep
    gie
    idle
    bkpt
