// SPDX-License-Identifier: BSD-3-Clause
// Lets a program wait for a change at PE 0 without polling it: an eventcount. A program that waits says so to PE 0, tests its
// condition once more, and then polls a word of its own memory. A program that has changed something notifies PE 0,
// which puts a new number to this word of each PE that waits. So skerry-sim finds that a wait can never end.
//
// No change is missed. The condition is tested after PE 0 has noted the waiting PE. A change before this note is seen by the
// test. After a later change PE 0 handles the notification, which the changing thread sends behind the change, and finds the
// note. The word can change although the condition is false; the program then waits again.
//
// The state is PE 0's, and is used under the lock of barriers (barrier_served.c).
#include "internal.h"

#if !SKERRY_PRIVATE_MEMORY

#define MESSAGE 6 // number of the handler

struct request {
    uint64_t value;
    uint32_t what; // enum skerry_mppa_change that the sender waits for; 0: the sender has changed something
};

// skerry-sim reads these two (sim/chip/program_waits.cpp).
struct request skerry_mppa_awaited[SKERRY_MPPA_PES]; // what each PE waits for
uint32_t skerry_mppa_waiting;                        // bit p: PE p waits
static uint64_t number;

static uint64_t *own_word(void) {
    return &skerry_mppa_own_board()->change;
}

// Runs on PE 0.
static void perform(int from, const struct request *request) {
    skerry_mppa_lock_served();
    if (request->what) {
        skerry_mppa_awaited[from] = *request;
        skerry_mppa_waiting |= 1u << from;
    } else if (skerry_mppa_waiting != 0) {
        skerry_mppa_put_to_waiting(own_word(), ++number, skerry_mppa_waiting);
        skerry_mppa_waiting = 0;
    }
    skerry_mppa_unlock_served();
}

static size_t handle(int pe, int from, const void *message, size_t bytes, void *answer) {
    (void)pe, (void)bytes, (void)answer;
    perform(from, message);
    return 0;
}

void skerry_mppa_serve_changes(void) {
    skerry_far_set_handler(MESSAGE, handle);
}

void skerry_mppa_notify_change(void) {
    const struct request request = {.what = 0};
    if (skerry_my_pe() == SKERRY_MPPA_MASTER) perform(SKERRY_MPPA_MASTER, &request);
    else skerry_far_send(SKERRY_MPPA_MASTER, MESSAGE, &request, sizeof request);
}

uint64_t skerry_mppa_begin_waiting(enum skerry_mppa_change what, uint64_t value) {
    const struct request request = {.value = value, .what = what};
    const uint64_t before = SKERRY_LOAD_ACQUIRE(own_word());
    char nothing[SKERRY_FAR_ANSWER_MAX];
    if (skerry_my_pe() == SKERRY_MPPA_MASTER) perform(SKERRY_MPPA_MASTER, &request);
    else skerry_far_ask(SKERRY_MPPA_MASTER, MESSAGE, &request, sizeof request, nothing);
    return before;
}

void skerry_mppa_await_change(uint64_t before) {
    skerry_mppa_begin_master_wait(SKERRY_MPPA_ANYTHING);
    SKERRY_WAIT_UNTIL(SKERRY_LOAD_ACQUIRE(own_word()) != before, skerry_my_pe());
    skerry_mppa_end_master_wait();
}

#endif
