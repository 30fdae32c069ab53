// SPDX-License-Identifier: BSD-3-Clause
// A core of an I/O node fills 64 KB of its DDR by stores, one every few cycles. Its four DMA units send a quarter each to cluster 0 to 3, at the rate of
// their links at the same time. The clusters send it back to another place of the DDR, where the core checks it.
#include "node.h"

enum { BYTES = 65536, QUARTER = BYTES / 4, TAG = 1, BACK = 2, HEADER = 0 };
static volatile uint32_t part[QUARTER / 4];

int main(unsigned cluster, unsigned core) {
    if (core != 0) return 0;
    if (cluster < 4) {
        open_tag(0, TAG, part, QUARTER, MODE_OFFSET);
        set_header(0, HEADER, IO, BACK);
        load_linear(0);
        while (transfers(0, TAG) == 0) continue;
        start_linear(0, 0, HEADER, part, QUARTER, cluster * QUARTER);
        return 0;
    }
    volatile uint32_t *ddr = (volatile uint32_t *)0xa0000000u;
    const uint32_t filled = cycles();
    for (unsigned k = 0; k < BYTES / 4; k++) ddr[k] = k * 2654435761u;
    __asm__ volatile("fence" ::: "memory");
    if (cycles() - filled > BYTES / 4 * 10) return 3;
    const uint32_t loaded = cycles();
    (void)ddr[5];
    const uint32_t load = cycles() - loaded;
    if (load < 45 || load > 60) return 4;
    for (unsigned u = 0; u < 4; u++) {
        open_tag(u, BACK, ddr + BYTES / 4, BYTES, MODE_OFFSET);
        set_header(u, HEADER, IO, TAG);
        load_linear(u);
    }
    const uint32_t begin = cycles();
    for (unsigned u = 0; u < 4; u++) start_linear(u, 0, HEADER, (const char *)ddr + u * QUARTER, QUARTER, 0);
    for (unsigned u = 0; u < 4; u++) {
        while (transfers(u, BACK) == 0) continue;
    }
    const uint32_t took = cycles() - begin;
    for (unsigned k = 0; k < BYTES / 4; k++) {
        if (ddr[BYTES / 4 + k] != k * 2654435761u) return 1;
    }
    // There and back at 128 bytes in 34 cycles for each unit, and at most 1000 cycles more.
    const uint32_t least = 2 * (QUARTER / 128 * 34);
    return took < least || took > least + 1000 ? 2 : 0;
}
