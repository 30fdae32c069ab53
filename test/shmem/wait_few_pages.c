// SPDX-License-Identifier: BSD-3-Clause
// A PE that waits with more PEs than processors does not touch memory of each other PE, also if it looks for other programs
// that compute: two PEs compute here for whole time slices, which makes the others look.
// pes: 64
// skip: epiphany smp sarc mppa
#include "test.h"

#define ROUNDS 20

#define PARTITION_SHIFT 35

static long a_word;

// Returns the number of other PEs of whose memory this process has mapped a page.
static int count_touched(void) {
    const uintptr_t own = (uintptr_t)shmem_ptr(&a_word, me) >> PARTITION_SHIFT;
    const uintptr_t first = (uintptr_t)shmem_ptr(&a_word, 0) >> PARTITION_SHIFT;
    uintptr_t partition = 0, last = 0;
    char line[512];
    int count = 0;
    FILE *file = fopen("/proc/self/smaps", "r");
    while (file && fgets(line, sizeof line, file)) {
        unsigned long begin, end, kilobytes;
        if (sscanf(line, "%lx-%lx ", &begin, &end) == 2) partition = begin >> PARTITION_SHIFT;
        if (sscanf(line, "Rss: %lu kB", &kilobytes) != 1 || kilobytes == 0) continue;
        if (partition < first || partition >= first + (uintptr_t)pes || partition == own || partition == last) continue;
        last = partition;
        count++;
    }
    if (file) fclose(file);
    return count;
}

int main(void) {
    test_begin();
    for (int round = 0; round < ROUNDS; round++) {
        if (me < 2) {
            const double end = test_seconds() + 0.02;
            while (test_seconds() < end) {
            }
        }
        shmem_barrier_all();
    }
    const int touched = count_touched();
    REQUIRE(pes < 64 || touched < pes / 2, "this PE has touched memory of %d other PEs", touched);
    return test_end();
}
