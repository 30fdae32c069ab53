// SPDX-License-Identifier: BSD-3-Clause
// Declares what transfer.c and transfer_private.c share: transfers to and from private memory of other PEs, and the
// transfers of this kind that go on behind the program.
#ifndef SKERRY_AOS_TRANSFER_PRIVATE_H
#define SKERRY_AOS_TRANSFER_PRIVATE_H

#include "internal.h"

struct skerry_aos_move {
    uintptr_t local;
    uintptr_t remote;
    int pe;
    bool put;
    const struct skerry_aos_shape *shape;
    uint32_t waiting;
    uint64_t reference; // reference of the segment's table entry, if the owner is on another node; 0: no entry
};

// Wakes the threads that wait for a change of PE `pe`'s memory, after a put to the segment there.
SKERRY_PRIVATE void skerry_aos_notify_put(const aos_segment_t *segment, int pe);

#if SKERRY_PRIVATE_MEMORY

// Moves data to or from private memory of another PE. Returns when all is moved. Sets `*served` to true if the owner of the
// memory has copied, because the kernel refuses cross-memory access or the owner is on another node (transfer.c).
SKERRY_PRIVATE int skerry_aos_move_private(const struct skerry_aos_move *move, bool *served);

// Begins such a transfer, which then goes on behind the program, and makes its event. Returns false if the caller must do
// the transfer before it returns. If the result is true and `*error` is not AOS_SUCCESS, the transfer has failed already,
// and there is no event.
SKERRY_PRIVATE bool skerry_aos_begin_private(const char *routine, const aos_segment_t *segment, uint64_t offset,
                                             uintptr_t bytes, const struct skerry_aos_move *move, aos_event_t *event,
                                             int *error);

#endif
#endif
