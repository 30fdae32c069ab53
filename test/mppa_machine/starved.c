// SPDX-License-Identifier: BSD-3-Clause
// A server that has jobs without a pause also handles the answers to messages of its PE, and watches conditions of its words.
// Here all PEs but two load a word of PE 0 again and again, until PE 0 has got an answer and PE 1 has seen a condition hold.
// pes: 16
#include <aos.h>

#include "test.h"

enum { here = 1, there = 2 };

static volatile int64_t
    words[8]; // of PE 0: 0 the end, 1 PEs that load, 2 and 3 of the second condition; of PE 1: 4 and 5

#define OK(call) REQUIRE((call) == AOS_SUCCESS, "%s failed", #call)

static aos_condition_t is_set(uint64_t word) {
    return (aos_condition_t){.offset = word * 8, .value = 1, .condition = AOS_EQUAL};
}

// Returns when word 0 of PE 0 has this value.
static void load_until(const aos_segment_t *first, int64_t value) {
    OK(aos_postadd(first, 8, 1));
    for (int64_t end = 0; end != value;) OK(aos_peek(first, 0, &end, NULL));
}

static void await_word(int word, int64_t value) {
    while (words[word] != value) {
    }
}

int main(void) {
    test_begin();
    OK(aos_init(0));
    aos_segment_t first, second;
    if (me == 0) OK(aos_segment_create(&first, here, (void *)(uintptr_t)words, sizeof words, NULL));
    else OK(aos_segment_clone(&first, here, 0));
    if (me == 1) OK(aos_segment_create(&second, there, (void *)(uintptr_t)words, sizeof words, NULL));
    else OK(aos_segment_clone(&second, there, 0));
    shmem_barrier_all();

    aos_event_t done;
    const int loading = pes - 2;
    if (me >= 2) {
        load_until(&first, 1);
        load_until(&first, 2);
    } else if (me == 0) {
        // An answer: PE 1 sends it when its word 4 is set.
        const aos_condition_t far = is_set(4);
        OK(aos_poke_when(&second, 40, 9, &far, &done));
        await_word(1, loading);
        OK(aos_poke(&second, 32, 1));
        OK(aos_event_wait(&done));
        words[0] = 1;
        // A condition of a word of this PE, on which PE 1 waits.
        await_word(1, 2 * loading);
        words[2] = 1;
        await_word(3, 7);
        words[0] = 2;
    } else {
        const aos_condition_t of_first = is_set(2);
        OK(aos_poke_when(&first, 24, 7, &of_first, &done));
        OK(aos_event_wait(&done));
        REQUIRE(words[5] == 9, "word 5 is %ld", (long)words[5]);
    }
    OK(aos_finalize());
    return test_end();
}
