// SPDX-License-Identifier: BSD-3-Clause
// What the files of this folder share. PE 0 is the master, PE 1 + c cluster c, the last PE the second I/O program. What all of
// them know together, the board, begins PE 0's symmetric heap; the rest of that heap is the memory that programs allocate
// in the DDR. Both lie at the same place in every program.
#ifndef SKERRY_MPPA_INTERNAL_H
#define SKERRY_MPPA_INTERNAL_H

#include <mppa_async.h>

#include "../heap/heap.h"
#include "../machine/machine.h"
#include "../primitive/wait.h"

#define SKERRY_MPPA_MASTER 0
#define SKERRY_MPPA_IO1 (MPPA_CLUSTERS + 1)
#define SKERRY_MPPA_PES (MPPA_CLUSTERS + 2)
_Static_assert(1 + SKERRY_PROGRAMS_MAX == SKERRY_MPPA_PES, "a PE for each program");

#define SKERRY_MPPA_DDR_IDENT (UINT64_MAX - 1) // of the window over the whole heap of PE 0

struct skerry_mppa_barrier {
    uint64_t clusters; // whose it is; 0: nobody's yet
    uint32_t arrived;
    uint32_t round;
};
#define SKERRY_MPPA_BARRIERS 64

struct skerry_mppa_board {
    uint32_t clusters; // that the master serves; 0: not yet known
    uint32_t started;  // bit p: a program has been started as PE p
    uint32_t done;     // bit p: it has said that it is
    uint32_t ddr_lock;
    uint32_t ddr_formed;
    uint64_t cycles_of_tick; // MPPA's cycles in a tick of this machine's clock, times 2^32; measured once
    struct skerry_mppa_barrier all;
    struct skerry_mppa_barrier some[SKERRY_MPPA_BARRIERS];
    struct heap ddr;
};

SKERRY_ALWAYS_INLINE struct skerry_mppa_board *skerry_mppa_board(void) {
    size_t bytes;
    return skerry_global(skerry_heap_memory(&bytes), SKERRY_MPPA_MASTER);
}

SKERRY_ALWAYS_INLINE int skerry_mppa_pe_of(int server) {
    if (server >= 0 && server < MPPA_CLUSTERS) return 1 + server;
    if (server == MPPA_ASYNC_SERVER_IO0) return SKERRY_MPPA_MASTER;
    return server == MPPA_ASYNC_SERVER_IO1 ? SKERRY_MPPA_IO1 : -1;
}

SKERRY_ALWAYS_INLINE int skerry_mppa_server_of(int pe) {
    if (pe == SKERRY_MPPA_MASTER) return MPPA_ASYNC_SERVER_IO0;
    return pe == SKERRY_MPPA_IO1 ? MPPA_ASYNC_SERVER_IO1 : pe - 1;
}

// Ends the job with a line when segments are used before they may be.
SKERRY_PRIVATE void skerry_mppa_check_begun(const char *routine);

// The DDR's memory that is at the same place everywhere: whether [offset, offset + bytes) lies in it.
SKERRY_PRIVATE bool skerry_mppa_is_ddr_block(uint64_t offset, size_t bytes);

// In the master: lets the others find it. False: it cannot.
SKERRY_PRIVATE bool skerry_mppa_publish_ddr(void);

// The segment that an access of `bytes` bytes goes to, and its offset there; null: an error.
SKERRY_PRIVATE const aos_segment_t *skerry_mppa_window(const char *routine, const mppa_async_segment_t *segment,
                                                       off64_t offset, size_t bytes, uint64_t *at);

// Measures the clock, before a program asks for the time: that takes a while.
SKERRY_PRIVATE void skerry_mppa_begin_clock(void);

// The event that an operation is to make; until then, one that has happened.
SKERRY_ALWAYS_INLINE aos_event_t *skerry_mppa_event(mppa_async_event_t *event) {
    if (!event) return 0;
    *event = (mppa_async_event_t){.queue = 0};
    return &event->happening;
}

// For what is done already.
SKERRY_ALWAYS_INLINE int skerry_mppa_done(mppa_async_event_t *event) {
    if (event) *event = (mppa_async_event_t){.queue = 0};
    return 0;
}

SKERRY_ALWAYS_INLINE int skerry_mppa_result(int result) {
    return result == AOS_SUCCESS ? 0 : -1;
}

// An event that waits for a message.
SKERRY_PRIVATE int skerry_mppa_finish_dequeue(mppa_async_event_t *event, bool wait);

#endif
