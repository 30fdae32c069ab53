// SPDX-License-Identifier: BSD-3-Clause
// Segments in the DDR memories of I/O nodes: PE 0, and with 18 PEs also the last one. All other PEs get, put and add there,
// and the I/O nodes do the same with their own DDR and with segments of the clusters.
// pes: 2 5 18
// oshrun: --io-node
#include <aos.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

enum { words = 1 << 17, part = 2048, sums = 8 }; // a segment of 1 MB; each PE puts a part behind its middle
enum { ddr_id = 1, small_id = 10 };

static int64_t small[part];
static int64_t buffer[part];

#define OK(call) REQUIRE((call) == AOS_SUCCESS, "%s failed", #call)

static int64_t value_at(int node, int i) {
    return (int64_t)node * 1000000007 + i * 31;
}

static void check(const int64_t *from, int node, int first, int count, const char *what) {
    for (int i = 0; i < count; i++)
        REQUIRE(from[i] == value_at(node, first + i), "%s: word %d is %ld", what, first + i, (long)from[i]);
}

static void use(aos_segment_t *ddr, int node, int64_t *memory) {
    static const int counts[] = {1, 8, 24, 64, 1000, part};
    aos_event_t event;
    for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++) {
        const int first = sums + 777 * me + (int)k;
        OK(aos_get(memory, ddr, (uint64_t)first * 8, (size_t)counts[k] * 8, NULL));
        check(memory, node, first, counts[k], "get");
        memset(memory, 0, part * sizeof *memory);
        OK(aos_get(memory, ddr, (uint64_t)first * 8, (size_t)counts[k] * 8, &event));
        OK(aos_event_wait(&event));
        check(memory, node, first, counts[k], "get with an event");
    }
    OK(aos_get_spaced(memory, ddr, (sums + 5) * 8, 32, 10, 4096, NULL));
    for (int k = 0; k < 10; k++) check(memory + 4 * k, node, sums + 5 + 512 * k, 4, "get of blocks");

    const uint64_t mine = (uint64_t)(words / 2 + part * me) * 8;
    for (int i = 0; i < part; i++) memory[i] = value_at(100 + me, i);
    OK(aos_put(memory, ddr, mine, 40, NULL));
    OK(aos_put(memory + 5, ddr, mine + 40, 2000, NULL));
    OK(aos_put(memory + 255, ddr, mine + 2040, (part - 255) * 8, &event));
    OK(aos_event_wait(&event));
    OK(aos_postadd(ddr, 0, 1 + me));
    int64_t before = -1;
    OK(aos_fetchadd(ddr, 8, 1, &before, NULL));
    REQUIRE(before >= 0 && before < pes, "fetchadd returned %ld", (long)before);
    OK(aos_fence(ddr, NULL));
    memset(memory, 0, part * sizeof *memory);
    OK(aos_get(memory, ddr, mine, part * 8, NULL));
    check(memory, 100 + me, 0, part, "what was put");
}

int main(void) {
    test_begin();
    OK(aos_init(0));
    const int nodes = pes == 18 ? 2 : 1; // that are I/O nodes
    const int node = me == 0 ? 0 : me == 17 ? 1 : -1;
    int64_t *memory = node < 0 ? buffer : malloc(words * sizeof *memory), *own = NULL;
    aos_segment_t ddr[2], cluster;
    REQUIRE(memory && (node < 0) == ((uintptr_t)memory < 0x80000000), "the memory is at %p", (void *)memory);
    OK(aos_segment_create(&cluster, small_id + (uint64_t)me, small, sizeof small, NULL));
    if (node >= 0) {
        own = malloc(words * sizeof *own);
        REQUIRE(own != NULL, "there is no memory for a second segment");
        for (int i = sums; i < words / 2; i++) own[i] = value_at(node, i);
        own[0] = own[1] = 0;
        OK(aos_segment_create(&ddr[node], ddr_id + (uint64_t)node, own, words * sizeof *own, NULL));
    }
    for (int k = 0; k < nodes; k++)
        if (k != node) OK(aos_segment_clone(&ddr[k], ddr_id + (uint64_t)k, 0));
    for (int k = 0; k < nodes; k++) use(&ddr[k], k, memory);

    // From DDR to a cluster and back.
    if (node >= 0) {
        aos_segment_t other;
        aos_event_t event;
        OK(aos_segment_clone(&other, small_id + (uint64_t)((me + 1) % pes), 0));
        for (int i = 0; i < part; i++) memory[i] = value_at(7, i);
        OK(aos_put(memory, &other, 0, part * 8, NULL));
        OK(aos_fence(&other, NULL));
        OK(aos_get(memory + part, &other, 0, part * 8, &event));
        OK(aos_event_wait(&event));
        check(memory + part, 7, 0, part, "what came back from a cluster");
        aos_event_t all;
        OK(aos_event_set(&all, &own[0], AOS_EQUAL, pes * (pes + 1) / 2));
        OK(aos_event_wait(&all));
        OK(aos_event_set(&all, &own[1], AOS_EQUAL, pes));
        OK(aos_event_wait(&all));
        for (int pe = 0; pe < pes; pe++) check(own + words / 2 + part * pe, 100 + pe, 0, part, "what a PE has put");
    } else {
        aos_segment_t wrong;
        REQUIRE(aos_segment_create(&wrong, 99, (void *)0xa0000000, 4096, NULL) == AOS_ERROR_ARGUMENT,
                "a cluster made a segment of DDR");
    }
    shmem_barrier_all();
    OK(aos_finalize());
    return test_end();
}
