// SPDX-License-Identifier: BSD-3-Clause
// Begins copies that a DMA channel does while the core computes. A copy is three descriptors that the channel does one
// after the other (chained descriptors): the data, then a store to `ending`, then a store to `ended`. So the channel
// itself tells when a copy has ended: the core needs no interrupt, and a wait polls a word of its own memory. All puts
// form one chain, and all gets by a channel form another. So puts end in order, and a put and a get use both channels.
//
// How a copy is appended to a chain that a channel is doing (checked by test/model/chain.pml):
//     core                                              channel
//     C1 change the last `end` descriptor: it now       D1 copy the data of the last copy
//        leads to the new copy                          D2 store the last copy's number to `ending`
//     C2 load `ending`                                  D3 fetch the descriptor `end`
//                                                       D4 store the last copy's number to `ended`
// * If C2 finds an older number, D2 is still to come, and so is D3. D3 finds what C1 stored: the channel will do the new
//   copy.
// * If C2 finds the last copy's number, D3 was before or after C1. The channel is a few cycles before the end of the last
//   copy. The core waits until the channel is idle. If the new copy has not ended by then, the channel has not found it,
//   and the core starts the channel again.
// A weaker rule is not enough: without `ending`, a core that finds the channel busy after C1 does not know whether D3 was
// before C1.
//
// Who writes what:
// * Only the channel writes `ending` and `ended`, in the order of the copies.
// * Only the core writes everything else, with interrupts masked, because a handler can begin a copy too. The wait for a
//   place in the chain or for a channel is made with interrupts enabled.
// * An entry is used again only when its copy has ended. The channel then has no further use for it.
#include "dma.h"

#define ENTRIES 4 // copies of a chain that are under way at the same time; a power of two

// Smallest get from external memory that a channel does. A load of the core from there waits about 500 cycles.
#define OUTSIDE_GET_WORTH_BEGINNING 64
// Largest block of a get in two dimensions. The core gets larger blocks faster, by interrupts of the data's owner.
#define GET_BLOCK_BYTES_MAX 128

struct entry {
    struct skerry_descriptor data, mark, end;
    uint64_t number;
    struct entry *next;
};

struct chain {
    volatile uint64_t ending; // number of the last copy whose data has left, or has arrived
    volatile uint64_t ended;  // number of the last copy that has ended: the word of skerry_begun
    uint64_t begun;           // number of copies that were begun
    struct entry *last;       // the entry of the last of them; NULL: no copy was begun
    int channel;              // the channel that does the copies
    struct entry entries[ENTRIES];
};

static struct chain put_chain, get_chain;

static bool is_idle(int channel) {
    uint32_t zero, one;
    __asm__ volatile("movfs %0, dma0status\n\tmovfs %1, dma1status" : "=r"(zero), "=r"(one));
    return ((channel ? one : zero) & 0xf) == 0;
}

static void start(int channel, const struct skerry_descriptor *descriptor) {
    uint32_t config = (uint32_t)(uintptr_t)descriptor << 16 | SKERRY_DMA_STARTS_BY_DESCRIPTOR;
    if (channel) __asm__ volatile("movts dma1config, %0" : : "r"(config) : "memory");
    else __asm__ volatile("movts dma0config, %0" : : "r"(config) : "memory");
}

// Returns the part of a descriptor's CONFIG that makes the channel fetch the descriptor `next` at the end of the transfer.
static uint32_t then(const struct skerry_descriptor *next) {
    return (uint32_t)(uintptr_t)next << 16 | SKERRY_DMA_CHAINS;
}

// Makes a descriptor that copies an entry's number to `word`.
static void make_store(struct skerry_descriptor *descriptor, volatile uint64_t *word, const uint64_t *number) {
    descriptor->config = SKERRY_DMA_DOUBLE_WORDS;
    descriptor->count = skerry_dma_count(1);
    descriptor->source = number;
    descriptor->dest = (void *)(uintptr_t)word;
}

static __attribute__((noinline)) void make_entries(struct chain *chain) {
    struct entry *next = chain->entries;
    for (struct entry *entry = chain->entries + ENTRIES; entry-- > chain->entries; next = entry) {
        make_store(&entry->mark, &chain->ending, &entry->number);
        make_store(&entry->end, &chain->ended, &entry->number);
        entry->mark.config |= then(&entry->end);
        entry->next = next;
    }
    chain->last = chain->entries;
}

// Waits until the chain can take another copy. Returns the interrupt mask, with interrupts masked. Stores to `*channel`
// the idle channel on which the copy must start, or -1 if the copy must be appended. A copy starts a channel only when
// all earlier copies of its chain have ended. So no two channels ever store to `ended`.
static inline uint32_t take_place(struct chain *chain, int *channel) {
    for (;;) {
        uint32_t mask = skerry_mask_interrupts();
        uint32_t begun = (uint32_t)chain->begun, under_way = begun - (uint32_t)chain->ended;
        if (under_way == 0) {
            for (*channel = 0; *channel < 2; ++*channel)
                if (is_idle(*channel)) return mask;
        } else if (under_way < ENTRIES && (uint32_t)chain->ending != begun) {
            *channel = -1;
            return mask;
        }
        skerry_unmask_interrupts(mask);
    }
}

// Appends a copy to the chain, and stores its end to `*begun`. Returns false, and copies nothing, if a channel cannot do
// the copy. The core copies the unaligned bytes at both ends of a single block. Quiet waits for the copy, because
// skerry_started is not 0.
static bool append(struct chain *chain, const struct skerry_blocks *copy, char *dest, uint32_t config,
                   struct skerry_begun *begun) {
    const char *source = copy->source;
    const size_t blocks = copy->blocks;
    size_t bytes = copy->block_bytes;
    uintptr_t all = (uintptr_t)dest ^ (uintptr_t)source;
    if (blocks > 1) all |= (uintptr_t)dest | (uintptr_t)(copy->dest_stride | copy->source_stride) | bytes;
    const uint32_t log = all & 4 ? 2 : 3, size = 1u << log;
    if ((all & 3) != 0 || (blocks | bytes >> log) > SKERRY_DMA_ELEMENTS_MAX ||
        (uintptr_t)(chain + 1) > SKERRY_DMA_DESCRIPTOR_END)
        return false;
    const ptrdiff_t back = (ptrdiff_t)(bytes - size);
    const ptrdiff_t dest_step = copy->dest_stride - back, source_step = copy->source_stride - back;
    if (blocks > 1) {
        if (dest_step != (int16_t)dest_step || source_step != (int16_t)source_step) return false;
    } else if ((((uintptr_t)dest | bytes) & (size - 1)) != 0) {
        const size_t head = (0 - (uintptr_t)dest) & (size - 1), tail = (bytes - head) & (size - 1);
        skerry_copy(dest, source, head);
        skerry_copy(dest + bytes - tail, source + bytes - tail, tail);
        dest += head;
        source += head;
        bytes -= head + tail;
    }
    if (!chain->last) make_entries(chain);

    int channel;
    const uint32_t mask = take_place(chain, &channel);
    struct entry *last = chain->last, *entry = last->next;
    const uint64_t number = ++chain->begun;
    chain->last = entry;
    entry->number = number;
    entry->end.config = SKERRY_DMA_DOUBLE_WORDS;
    entry->data.config = SKERRY_DMA_ELEMENTS(log) | config | then(&entry->mark);
    entry->data.inner_strides = size << 16 | size;
    entry->data.count = (uint32_t)blocks << 16 | (uint32_t)(bytes >> log);
    entry->data.outer_strides = skerry_dma_strides(dest_step, source_step);
    entry->data.source = source;
    entry->data.dest = dest;
    skerry_compiler_fence();
    if (channel < 0) {
        *(volatile uint32_t *)&last->end.config = SKERRY_DMA_DOUBLE_WORDS | then(&entry->data); // C1
        if ((uint32_t)chain->ending == (uint32_t)number - 1) {                                  // C2
            while (!is_idle(chain->channel)) continue;
            if ((uint32_t)chain->ended != (uint32_t)number) channel = chain->channel;
        }
    }
    if (channel >= 0) {
        chain->channel = channel;
        start(channel, &entry->data);
    }
    skerry_started = 1;
    skerry_unmask_interrupts(mask);
    begun->word = (const volatile int64_t *)&chain->ended;
    begun->value = (int64_t)number;
    return true;
}

static size_t bytes_of(const struct skerry_blocks *copy) {
    return copy->blocks == 1 ? copy->block_bytes : (size_t)skerry_times((int)copy->block_bytes, (int)copy->blocks);
}

bool skerry_begin_put(const struct skerry_blocks *copy, int pe, struct skerry_begun *begun) {
    if (bytes_of(copy) < SKERRY_PUT_WORTH_BEGINNING ||
        !append(&put_chain, copy, copy->dest, skerry_is_own(copy->source) ? 0 : SKERRY_DMA_AWAITS_ANSWERS, begun))
        return false;
    if (pe >= 0) skerry_note_written(pe);
    else skerry_written_outside = copy->dest; // quiet loads this byte after it has waited for the channel
    return true;
}

bool skerry_has_begun_puts(struct skerry_begun *begun) {
    begun->word = (const volatile int64_t *)&put_chain.ended;
    begun->value = (int64_t)put_chain.begun;
    return (uint32_t)put_chain.ended != (uint32_t)put_chain.begun;
}

bool skerry_begin_get(const struct skerry_blocks *copy, int pe, struct skerry_begun *begun) {
    const size_t bytes = bytes_of(copy);
    if (bytes < (pe < 0 ? OUTSIDE_GET_WORTH_BEGINNING : SKERRY_GET_WORTH_BEGINNING) || !skerry_is_own(copy->dest))
        return false;
    if (pe >= 0 && pe != skerry_my_pe()) {
        if (copy->blocks == 1) return skerry_begin_push(skerry_localize(copy->dest), copy->source, bytes, pe, begun);
        if (copy->block_bytes > GET_BLOCK_BYTES_MAX) return false;
    }
    return append(&get_chain, copy, skerry_localize(copy->dest), SKERRY_DMA_AWAITS_ANSWERS, begun);
}
