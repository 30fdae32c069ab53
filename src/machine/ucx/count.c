// SPDX-License-Identifier: BSD-3-Clause
// Counts the records that this process sends to other nodes, and those that it executes for them. By these numbers the
// launcher finds out that no record is under way, when it looks for deadlocks (launch/standstill.hpp). For this they
// must have three properties:
//
// 1. A record is counted as sent before it can arrive: when it is appended to a batch, also if the batch leaves later.
// 2. A record is counted as executed after its effect: after the words have changed, the PE was woken, and all messages
//    that its handler sends are counted as sent. A message that a handler keeps (keep_message) counts as a record from
//    this process to itself, which is executed when the message is in a batch.
// 3. Every record is counted once at each side. Replies are not counted: the thread that waits for a reply moves the
//    worker or sleeps at its descriptor, and not in a futex, so the launcher sees that its PE is active.
//
// Puts by remote access (remote.c) are executed by hardware. They count as sent when they start, and as executed when a flush
// is complete, both at the sender. Nothing wakes the target then, but it polls within a millisecond, and the launcher
// looks for seconds. The helper thread flushes puts that the program does not complete (helper.c).
//
// Only this process writes its two words, under the module's lock. The launcher reads them at any time. The stores have
// release order: a process that learns from a record of a later action also sees the earlier number.
#include "internal.h"

void count_sent(void) {
    __atomic_store_n(network.host->sent, *network.host->sent + 1, __ATOMIC_RELEASE);
}

void count_landed(void) {
    network.landed_now++;
}

void publish_landed(void) {
    if (network.landed_now == 0) return;
    __atomic_store_n(network.host->landed, *network.host->landed + network.landed_now, __ATOMIC_RELEASE);
    network.landed_now = 0;
}
