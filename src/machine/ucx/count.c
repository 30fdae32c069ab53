// SPDX-License-Identifier: BSD-3-Clause
// Counts the records (operations in messages, internal.h) that this process sends to other nodes, and the records that
// it executes for other nodes. When the launcher looks for deadlocks (launch/standstill.hpp), it compares these numbers
// to find out that no record is under way.
//
// The numbers have three properties:
// 1. A record is counted as sent before it can arrive: when it is appended to a batch, even if the batch is sent later.
// 2. A record is counted as executed after its effect: the words have changed, the PE was woken, and all messages that
//    the record's handler sends are counted as sent. A message that a handler keeps for later (keep_message) counts as
//    a record from this process to itself. That record is executed when the message is in a batch.
// 3. Every record is counted once by the sender and once by the receiver. Replies are not counted. A thread that waits
//    for a reply polls, or sleeps in poll() and not in a futex. So the launcher sees that its PE is active.
//
// Puts by remote access, which the network hardware executes (remote.c):
// * The sender counts such a put as sent when it starts, and as executed when a flush (the completion of its puts) is
//   complete. The helper thread flushes puts that the program does not complete (helper.c).
// * The put does not wake a PE of the target that sleeps. But such a PE polls its words at least once a millisecond,
//   and the launcher observes a job for seconds before it reports a deadlock.
//
// Order: only this process writes its two numbers, under the module's lock. The launcher reads them at any time. The
// stores have release order. Suppose that this process stores a number and then sends a record. Another process that
// has received this record also sees the number.
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
