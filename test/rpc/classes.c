// SPDX-License-Identifier: BSD-3-Clause
// Urgent calls are served before normal ones, and those before background ones; each class in its own order. Deferred ones
// stay where they are until a poll, or until they are not deferred any more.
// pes: 2 3 8
// env: SKERRY_RPC_DEPTH=256
#include "rpc.h"

#if SKERRY_CALL_RINGS
SHMEMX_RPC_DEPTH(15)
#define EACH 2
#else
#define EACH 10
#endif

static long order[3 * EACH * 16];
static long place;

static void note(long *at, long class) {
    long *mine = localize(at);
    mine[place++] = class;
}
RPC_ASYNC(note, (long *at, long class), (at, class))

static void post(int class, int pe) {
    shmemx_rpc_class(class);
    note_post(address_at(order, pe), class);
}

// All others post to PE 0, in the wrong order, while it does not look.
static void post_all(void) {
    for (int i = 0; i < EACH; i++)
        for (int class = SHMEMX_RPC_BACKGROUND; class >= SHMEMX_RPC_URGENT; class --) post(class, 0);
}

static void require_order(long from, long count) {
    REQUIRE(place == from + count, "%ld calls, not %ld", place - from, count);
    for (long i = from + 1; i < place; i++)
        REQUIRE(order[i] >= order[i - 1], "class %ld after %ld", order[i], order[i - 1]);
}

static void defer_some(long others) {
    long from = place, each = EACH * others;
    if (me == 0) {
        REQUIRE(shmemx_rpc_defer(SHMEMX_RPC_NORMAL) == SHMEMX_RPC_NONE, "something was deferred");
        shmem_barrier_all();
        shmem_barrier_all();
        require_order(from, each); // the urgent ones
        REQUIRE(shmemx_rpc_defer(SHMEMX_RPC_BACKGROUND) == SHMEMX_RPC_NORMAL, "normal ones were deferred");
        require_order(from, 2 * each);
        REQUIRE(shmemx_rpc_poll() == each, "a poll serves the rest");
        require_order(from, 3 * each);
        REQUIRE(shmemx_rpc_poll() == 0, "a poll of nothing");
        REQUIRE(shmemx_rpc_defer(SHMEMX_RPC_NONE) == SHMEMX_RPC_BACKGROUND, "background ones were deferred");
        shmem_barrier_all();
    } else {
        shmem_barrier_all();
        post_all();
        shmem_barrier_all();
        shmem_barrier_all();
    }
}

static void mask_all(long others) {
    long from = place;
    if (me == 0) {
        shmemx_rpc_mask();
        shmemx_rpc_mask();
        shmem_barrier_all();
        shmem_barrier_all();
        REQUIRE(place == from, "%ld calls were served", place - from);
        shmemx_rpc_unmask();
        REQUIRE(place == from, "%ld calls were served after the first of two", place - from);
        shmemx_rpc_unmask();
        require_order(from, 3 * EACH * others);
        shmem_barrier_all();
    } else {
        shmem_barrier_all();
        post_all();
        shmem_barrier_all();
        shmem_barrier_all();
    }
}

int main(void) {
    test_begin();
    REQUIRE(shmemx_rpc_class(SHMEMX_RPC_URGENT) == SHMEMX_RPC_NORMAL, "the first class");
    REQUIRE(shmemx_rpc_class(SHMEMX_RPC_NORMAL) == SHMEMX_RPC_URGENT, "the class before");
    shmemx_rpc_when_full(SHMEMX_RPC_WAIT);
    shmem_barrier_all();
    defer_some(pes - 1);
    place = 0;
    mask_all(pes - 1);
    return test_end();
}
