// SPDX-License-Identifier: BSD-3-Clause
// Each cluster of row 0 sends memory two hops to the east. The routes need the ring's links in a circle, so sooner or later
// the packets wait for each other.
#include "node.h"

enum { BYTES = 32768, TAG = 5, HEADER = 0 };
static uint32_t source[BYTES / 4];
static volatile uint32_t target[BYTES / 4];

int main(unsigned cluster, unsigned core) {
    if (core != 0 || cluster >= 4) return 0;
    open_tag(0, TAG, target, BYTES, MODE_OFFSET);
    set_header(0, HEADER, EAST | EAST << 3, TAG);
    load_linear(0);
    for (unsigned k = 0; k < 1000; k++) __asm__ volatile("nop");
    start_linear(0, 0, HEADER, source, BYTES, 0);
    while (transfers(0, TAG) == 0) continue;
    return 0;
}
