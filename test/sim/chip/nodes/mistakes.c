// SPDX-License-Identifier: BSD-3-Clause
// Mistakes that end the run. MISTAKE chooses one.
#include "node.h"

int main(unsigned cluster, unsigned core) {
    if (core != 0 || cluster != 0) return 0;
#if MISTAKE == 1 // a tag that nobody owns
    set_header(0, 0, EAST, 77);
    set(SEND, 1);
#elif MISTAKE == 2 // a mailbox that nobody owns
    set(SENDERS, EAST);
    set(SENDERS + 4, VALID | 66);
    set(SENDERS + 16, 1);
#elif MISTAKE == 3 // no register
    set(0x3f000, 1);
#elif MISTAKE == 4 // a load of no mailbox register
    return (int)get(MAILBOXES + 32);
#elif MISTAKE == 5 // registers of a unit that a cluster does not have
    *node_register(1, HEADERS) = 1;
#elif MISTAKE == 6 // a route to no node
    set(SENDERS, IO << 3 | SOUTH);
#endif
    for (unsigned k = 0; k < 1000; k++) __asm__ volatile("nop");
    return 0;
}
