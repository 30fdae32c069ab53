// SPDX-License-Identifier: BSD-3-Clause
// A thread that finds an end's capacity finds its other fields too, although another thread opens the end at this moment.
// link: static
// pes: 1
// threads: yes
// oshrun: --bind none
// skip: epiphany
#include "message.h"

#include <pthread.h>

#define ENDS 50000L
#define SLOTS 4

static struct skerry_queue_end ends[ENDS]; // each is opened one time
static long checked;                       // number of ends that the other thread has checked

static void *check_ends(void *unused) {
    for (long i = 0; i < ENDS; i++) {
        while (SKERRY_LOAD_ACQUIRE(&ends[i].capacity) == 0) skerry_relax();
        const struct skerry_queue *queue = *(struct skerry_queue *volatile *)&ends[i].queue;
        uint32_t mask = *(volatile uint32_t *)&ends[i].mask;
        REQUIRE(queue && mask == SLOTS - 1, "end %ld has a capacity, but its queue is %p and its mask %#x", i,
                (const void *)queue, mask);
        __atomic_store_n(&checked, i + 1, __ATOMIC_RELEASE);
    }
    return unused;
}

int main(void) {
    test_begin();
    size_t slot_bytes = skerry_queue_slot_bytes(MESSAGE_BYTES);
    struct skerry_queue *queue = shmem_align(4096, skerry_queue_bytes(SLOTS, slot_bytes));
    REQUIRE(queue, "no memory");

    // A queue that is not created yet has the capacity 0, and its end can be opened again later.
    struct skerry_queue_end early = {0};
    memset(queue, 0, skerry_queue_bytes(SLOTS, slot_bytes));
    skerry_queue_open(&early, queue, me);
    REQUIRE(early.capacity == 0, "capacity %u before the queue is created", early.capacity);
    skerry_queue_create(queue, SLOTS, slot_bytes, false);
    skerry_queue_open(&early, queue, me);
    REQUIRE(early.capacity == SLOTS && early.mask == SLOTS - 1, "capacity %u, mask %#x", early.capacity, early.mask);

    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, check_ends, NULL) == 0, "no thread");
    for (long i = 0; i < ENDS; i++) {
        skerry_queue_open(&ends[i], queue, me);
        // Often the other thread then waits at the next end when this thread opens it.
        for (int poll = 0; poll < 1000 && SKERRY_LOAD_ACQUIRE(&checked) < i + 1; poll++) skerry_relax();
    }
    pthread_join(thread, NULL);
    shmem_free(queue);
    return test_end();
}
