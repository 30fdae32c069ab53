// SPDX-License-Identifier: BSD-3-Clause
// Two clusters send the same 32 KB to each other in turn, for more than the million cycles after which the search for a
// deadlock begins. Each polls the counter of the tag at which they arrive, so no memory changes, but it is no deadlock.
#include "node.h"

enum { BYTES = 32768, TAG = 5, HEADER = 2, TURNS = 100 };
static uint32_t source[BYTES / 4];
static volatile uint32_t target[BYTES / 4];

int main(unsigned cluster, unsigned core) {
    if (core != 0) return 0;
    open_tag(0, TAG, target, BYTES, MODE_OFFSET);
    set_header(0, HEADER, route_to(cluster, 1 - cluster), TAG);
    load_linear(0);
    for (unsigned k = 0; k < 2000; k++) __asm__ volatile("nop"); // the other cluster's tag is open then
    for (unsigned turn = 1; turn <= TURNS; turn++) {
        if (cluster == 0) start_linear(0, 0, HEADER, source, BYTES, 0);
        while (transfers(0, TAG) != turn) continue;
        if (cluster == 1) start_linear(0, 0, HEADER, source, BYTES, 0);
    }
    return cycles() < 1500000 ? 1 : 0;
}
