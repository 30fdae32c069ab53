// SPDX-License-Identifier: BSD-3-Clause
// Each of 16 clusters puts 16 KB by a micro-core into the next one, and polls the counter of the tag to which the one before
// it sends. Then it checks the bytes, and that the transfer had the links' rate.
#include "node.h"

enum { BYTES = 16384, TAG = 5, HEADER = 2 };
static uint32_t source[BYTES / 4];
static volatile uint32_t target[BYTES / 4];
static volatile uint32_t ready;

int main(unsigned cluster, unsigned core) {
    if (core != 0) return 0;
    const unsigned next = (cluster + 1) % 16, last = (cluster + 15) % 16;
    for (unsigned k = 0; k < BYTES / 4; k++) source[k] = cluster << 16 | k;
    open_tag(0, TAG, target, BYTES, MODE_OFFSET);
    open_tag(0, TAG + 1, &ready, 4, MODE_OFFSET);
    set_header(0, HEADER, route_to(cluster, next), TAG);
    set_header(0, HEADER + 1, route_to(cluster, last), TAG + 1);
    load_linear(0);
    // Tells the cluster before this one that the tag is open. Its own tag may not be open yet, so it tries again.
    for (unsigned k = 0; k < 2000; k++) __asm__ volatile("nop");
    set(SEND_END + 64 * (HEADER + 1), 1);
    while (transfers(0, TAG + 1) == 0) continue;
    const uint32_t begin = cycles();
    start_linear(0, 0, HEADER, source, BYTES, 0);
    while (transfers(0, TAG) == 0) continue;
    const uint32_t took = cycles() - begin;
    for (unsigned k = 0; k < BYTES / 4; k++) {
        if (target[k] != (last << 16 | k)) return 1;
    }
    // 34 flits for 128 bytes, and at most 500 cycles more: the cluster before this one can begin later.
    return took < BYTES / 128 * 34 || took > BYTES / 128 * 34 + 500 ? 2 : 0;
}
