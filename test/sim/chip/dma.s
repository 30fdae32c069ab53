; SPDX-License-Identifier: BSD-3-Clause
; What programs do with DMA. ../core/record.sh assembles this into dma.inc. The tests set the registers that a sequence
; begins with; each ends in BKPT.
    .text
    .macro sequence name
    .balign 8
    .global \name
\name:
    .endm

; Starts channel 0 with r1 and polls until it is idle; then the word at r3 goes into r4.
    sequence start_and_poll
    movts dma0config,r1
    mov.l r5,15
polls:
    movfs r2,dma0status
    and.l r2,r2,r5
    bne polls
    ldr.l r4,[r3,+0]
    bkpt

; Starts channel 0 with r1, channel 1 with r2, and sleeps until an interrupt; then the word at r3 goes into r4.
    sequence start_and_sleep
    movts dma0config,r1
    movts dma1config,r2
    gie
    idle
    ldr.l r4,[r3,+0]
    bkpt

; The registers of channel 1 from r1 to r4, then CONFIG from r5; polls.
    sequence by_registers
    movts dma1stride,r1
    movts dma1count,r2
    movts dma1srcaddr,r3
    movts dma1dstaddr,r4
    movts dma1config,r5
    mov.l r7,15
by_registers_polls:
    movfs r6,dma1status
    and.l r6,r6,r7
    bne by_registers_polls
    bkpt

; Sleeps until an interrupt; then the word at r3 goes into r4.
    sequence sleep_and_look
    gie
    idle
    ldr.l r4,[r3,+0]
    bkpt

; r5 words to r1, the same place each time, counted up from r2.
    sequence feed
    str.l r2,[r1,+0]
    add.l r2,r2,1
    sub.l r5,r5,1
    bne feed
    bkpt

; Starts channel 0 with r1, then loads eight double words r5 times from r3 on.
    sequence start_and_load
    movts dma0config,r1
loads:
    ldrd.l r16,[r3,+0]
    ldrd.l r18,[r3,+1]
    ldrd.l r20,[r3,+2]
    ldrd.l r22,[r3,+3]
    ldrd.l r24,[r3,+4]
    ldrd.l r26,[r3,+5]
    ldrd.l r28,[r3,+6]
    ldrd.l r30,[r3,+7]
    sub.l r5,r5,1
    bne loads
    bkpt

; Starts channel 0 with r1, pauses it with r2 in CONFIG, counts r5 down, and looks at its count twice before r6 in CONFIG
; lets it go on.
    sequence pause
    movts dma0config,r1
before:
    sub.l r7,r7,1
    bne before
    movts config,r2
    movfs r8,dma0count
    movfs r10,dma0status
paused:
    sub.l r5,r5,1
    bne paused
    movfs r9,dma0count
    movts config,r6
    bkpt

; Writes r2 to r1, another core's CONFIG, and sleeps until its message comes.
    sequence start_another
    str.l r2,[r1,+0]
    gie
    idle
    bkpt

; For ever.
    sequence wait_here
    b wait_here
