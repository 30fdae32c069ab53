// SPDX-License-Identifier: BSD-3-Clause
// The DMA unit counts the puts that it has sent modulo 2^16. What waits for a put is right if 40000 or 65536 others have been
// sent since: a fence, an event of a put, and a posted atomic operation behind a put.
// pes: 2
#include <aos.h>

#include "test.h"

enum { large = 32768, small = 192, id = 1 };

static char from[large], to[large], words[small];
static int flag;
static aos_segment_t other;

static void put_small_ones(int count) {
    for (int i = 0; i < count; i++) shmem_putmem_nbi(words, from, small, 1);
}

// A flag that is put behind a fence arrives behind the data: the last of 65536 puts.
static void fence_orders(void) {
    shmem_quiet();
    put_small_ones(65535);
    from[large - 1] = 1;
    shmem_putmem_nbi(to, from, large, 1);
    shmem_fence();
    shmem_int_p(&flag, 1, 1);
    shmem_quiet();
}

static void event_happens(void) {
    aos_event_t event;
    REQUIRE(aos_put(from, &other, 0, large, &event) == AOS_SUCCESS, "aos_put");
    put_small_ones(40000);
    REQUIRE(aos_event_wait(&event) == AOS_SUCCESS, "aos_event_wait");
}

static void atomic_follows(void) {
    aos_event_t event;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 5; i++) {
            REQUIRE(aos_put(from, &other, 0, large, &event) == AOS_SUCCESS, "aos_put");
            REQUIRE(aos_postadd(&other, large, 1) == AOS_SUCCESS, "aos_postadd");
            REQUIRE(aos_event_wait(&event) == AOS_SUCCESS, "aos_event_wait");
        }
        if (round < 2) put_small_ones(40000);
    }
    REQUIRE(aos_fence(&other, NULL) == AOS_SUCCESS, "aos_fence");
}

// The segment: data of puts, and the word of the atomic operations behind them.
static struct {
    char data[large];
    int64_t sum;
} memory;

int main(void) {
    test_begin();
    REQUIRE(aos_init(0) == AOS_SUCCESS, "aos_init");
    aos_segment_t own;
    if (me == 1) REQUIRE(aos_segment_create(&own, id, &memory, sizeof memory, NULL) == AOS_SUCCESS, "no segment");
    else REQUIRE(aos_segment_clone(&other, id, 0) == AOS_SUCCESS, "no segment");
    if (me == 0) {
        fence_orders();
        event_happens();
        atomic_follows();
    } else {
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
        REQUIRE(to[large - 1] == 1, "the flag came before the data");
    }
    shmem_barrier_all();
    if (me == 1) REQUIRE(memory.sum == 15, "the sum is %ld", (long)memory.sum);
    REQUIRE(aos_finalize() == AOS_SUCCESS, "aos_finalize");
    return test_end();
}
