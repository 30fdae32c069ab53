// SPDX-License-Identifier: BSD-3-Clause
// 16 cores of each cluster send 50 packets each to cluster 0, faster than it can take them: the stores of the cores wait, and
// no packet is lost. A tag of cluster 0 counts them, and writes each to the place of its sender.
#include "node.h"

enum { PACKETS = 50, TAG = 9, HEADER = 0 };
static volatile uint32_t sums[256 * 2];
static volatile uint32_t slow;

int main(unsigned cluster, unsigned core) {
    if (cluster == 0 && core == 0) open_tag(0, TAG, sums, sizeof sums, MODE_OFFSET);
    if (core == 0) set_header(0, HEADER, route_to(cluster, 0), TAG);
    for (unsigned k = 0; k < 2000; k++) slow = k;
    const unsigned number = cluster * 16 + core;
    set(PUSH_OFFSET, number * 8);
    for (unsigned k = 1; k <= PACKETS; k++) {
        set(PUSH, number);
        set(SEND_END + 64 * HEADER + 4, k);
    }
    if (number != 0) return 0;
    while ((transfers(0, TAG) & 0xffff) != 256 * PACKETS) continue;
    for (unsigned k = 0; k < 256; k++) {
        if (sums[2 * k] != k || sums[2 * k + 1] != PACKETS) return 1;
    }
    return 0;
}
