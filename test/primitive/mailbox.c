// SPDX-License-Identifier: BSD-3-Clause
// A mailbox: each PE answers its left neighbour's requests in a box there; the answer is whole when its number is seen.
#include "../shmem/test.h"

#include <skerry/primitive/mailbox.h>

#define ROUNDS 300
#define WORDS 9

static struct {
    long message[WORDS];
    _Alignas(8) uint32_t number;
    uint32_t note;
} box;
static long asked; // by the left neighbour, who has read what came before

static void answer(long round) {
    int to = left_of(me);
    long message[WORDS];
    shmem_long_wait_until(&asked, SHMEM_CMP_GE, round);
    for (int i = 0; i < WORDS; i++) message[i] = round * 100 + i;
    shmem_long_put(box.message, message, WORDS, to);
    shmem_fence();
    void *number = &box.number;
    skerry_mailbox_deliver(skerry_global(number, to), (uint32_t)round, (uint32_t)round ^ 0x5a, to);
}

static void read_answer(long round) {
    SKERRY_WAIT_UNTIL(skerry_mailbox_has(&box.number, (uint32_t)round), me);
    REQUIRE(box.note == ((uint32_t)round ^ 0x5a), "round %ld: the note is %lu", round, (unsigned long)box.note);
    for (int i = 0; i < WORDS; i++)
        REQUIRE(box.message[i] == round * 100 + i, "round %ld: word %d is %ld", round, i, box.message[i]);
}

int main(void) {
    test_begin();
    REQUIRE(!skerry_mailbox_has(&box.number, 1), "a message that nobody has sent");
    shmem_barrier_all();
    for (long round = 1; round <= ROUNDS; round++) {
        shmem_long_p(&asked, round, right_of(me));
        answer(round);
        read_answer(round);
    }
    shmem_barrier_all();
    return test_end();
}
