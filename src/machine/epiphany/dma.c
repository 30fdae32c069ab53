// SPDX-License-Identifier: BSD-3-Clause
// The DMA channels. A channel is started by its registers: a descriptor in memory would take as many stores and three
// fetches. A transfer that only sends is done, and the channel idle, when its last element has entered the network; from
// there it stays in front of what this core stores to the same PE later, because core and channels share the way into
// each network. One that reads elsewhere runs in message mode: it is idle when all answers have come. The message itself,
// an interrupt, does not arise where the destination is an address below 1 MB; where a put reads external memory it
// reaches the destination's core, which has it masked (start.S).
#include "dma.h"

#define ENABLED_MASTER 0x3u
#define SIZE_SHIFT 5

// The store to CONFIG starts it.
#define START(CHANNEL)                                                                                                 \
    __asm__ volatile("movts dma" #CHANNEL "stride, %0\n\tmovts dma" #CHANNEL "count, %1\n\tmovts dma" #CHANNEL         \
                     "srcaddr, %2\n\tmovts dma" #CHANNEL "dstaddr, %3\n\tmovts dma" #CHANNEL "config, %4"              \
                     :                                                                                                 \
                     : "r"(strides), "r"(count), "r"(source), "r"(dest), "r"(config)                                   \
                     : "memory")
#define IS_IDLE(CHANNEL)                                                                                               \
    __extension__({                                                                                                    \
        uint32_t status;                                                                                               \
        __asm__ volatile("movfs %0, dma" #CHANNEL "status" : "=r"(status));                                            \
        (status & 15) == 0;                                                                                            \
    })

void skerry_start_channel(void *dest, const void *source, uint32_t strides, uint32_t elements, uint32_t size_log,
                          uint32_t awaits_answers) {
    uint32_t count = 1u << 16 | elements; // one round
    uint32_t config = ENABLED_MASTER | size_log << SIZE_SHIFT | awaits_answers;
    for (;;) {
        // A handler may start a channel too, but not the same one in the middle of this.
        uint32_t mask = skerry_mask_interrupts();
        bool idle0 = IS_IDLE(0);
        bool idle = idle0 || IS_IDLE(1);
        if (idle0) START(0);
        else if (idle) START(1);
        skerry_unmask_interrupts(mask);
        if (idle) break;
    }
    skerry_started = 1;
}
