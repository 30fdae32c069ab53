// SPDX-License-Identifier: BSD-3-Clause
// Rounds of a barrier of all clusters over the control network. Cluster 0 collects their bits in a mailbox, and then sends a
// word to each. The cores sleep until their mailbox notifies them.
#include "node.h"

enum { ROUNDS = 20, COLLECT = 3, RELEASE = 100 };
static volatile uint32_t slow;

static void send(unsigned sender, uint32_t word) {
    set(SENDERS + 32 * sender + 16, word);
}
static void aim(unsigned sender, uint32_t route, unsigned mailbox) {
    set(SENDERS + 32 * sender, route);
    set(SENDERS + 32 * sender + 4, VALID | mailbox);
}
static void wait_for(unsigned mailbox, unsigned events) {
    while (get(MAILBOXES + 64 * mailbox + MAILBOX_COUNT) != events) sleep_until_notified();
}

int main(unsigned cluster, unsigned core) {
    if (core != 1) return 0;
    set(MAILBOXES + 64 * RELEASE + MAILBOX_MODE, 1);
    set(MAILBOXES + 64 * RELEASE + MAILBOX_NOTIFY, 1 << 1);
    aim(0, route_to(cluster, 0), COLLECT);
    if (cluster == 0) {
        set(MAILBOXES + 64 * COLLECT + MAILBOX_MASK, 0xffff);
        set(MAILBOXES + 64 * COLLECT + MAILBOX_NOTIFY, 1 << 1);
        set(MAILBOXES + 64 * COLLECT + MAILBOX_MODE, 2);
        for (unsigned k = 0; k < 16; k++) aim(1 + k, route_to(0, k), RELEASE);
    }
    for (unsigned k = 0; k < 2000; k++) slow = k; // until all mailboxes are open
    for (unsigned round = 1; round <= ROUNDS; round++) {
        for (unsigned k = 0; k < cluster * 30; k++) slow = k;
        send(0, 1u << cluster);
        if (cluster == 0) {
            wait_for(COLLECT, round);
            for (unsigned k = 0; k < 16; k++) send(1 + k, round);
        }
        wait_for(RELEASE, round);
        if (get(MAILBOXES + 64 * RELEASE) != round) return 1;
    }
    return 0;
}
