// SPDX-License-Identifier: BSD-3-Clause
// What the tests of segments share: set-up without OpenSHMEM, a barrier out of one segment, and memory of every kind.
#ifndef SKERRY_TEST_AOS_SEGMENTS_H
#define SKERRY_TEST_AOS_SEGMENTS_H

#ifndef __NEWLIB__
#include "../shmem/near.h"
#endif
#include "../shmem/test.h"

#include <aos.h>

#define REQUIRE_OK(call)                                                                                               \
    do {                                                                                                               \
        int outcome_of_call = (call);                                                                                  \
        REQUIRE(outcome_of_call == AOS_SUCCESS, "%s: %d, %s", #call, outcome_of_call,                                  \
                aos_error_text(outcome_of_call));                                                                      \
    } while (0)

#define REQUIRE_ERROR(call, wanted)                                                                                    \
    do {                                                                                                               \
        int outcome_of_call = (call);                                                                                  \
        REQUIRE(outcome_of_call == (wanted), "%s: %d (%s) instead of %d (%s)", #call, outcome_of_call,                 \
                aos_error_text(outcome_of_call), (wanted), aos_error_text(wanted));                                    \
    } while (0)

// What a machine has: all memory of a PE near, or not; how large memories and tables are.
#ifdef __NEWLIB__
#define MEMORY_ALL_NEAR 1
#define MEMORY_STATIC_BYTES (1 << 14)
#define MEMORY_LARGE_BYTES (1 << 15)
#define SEGMENTS_OF_ALL 7
#define PARKED_OF_ONE 8
#define NOWHERE UINT64_C(0xf0000) // no memory is there
#else
#define MEMORY_ALL_NEAR 0
#define MEMORY_STATIC_BYTES (1 << 16)
#define MEMORY_LARGE_BYTES (48 << 20)
#define SEGMENTS_OF_ALL 3000
#define PARKED_OF_ONE 4000
#define NOWHERE UINT64_C(8)
#endif

// True if the job has several nodes. Then pointers reach PEs of the own node only.
TEST_UNUSED static bool segments_have_nodes(void) {
#ifdef __NEWLIB__
    return SKERRY_FAR_PES && aos_pe_count() > 1; // each PE is a node
#else
    const char *nodes = getenv("SLURM_NNODES"), *near = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (test_near_pes()) return test_near_pes() < aos_pe_count();
    return near ? atoi(near) < aos_pe_count() : nodes && atoi(nodes) > 1;
#endif
}

// How often a stress loop runs. test_rounds knows only from SKERRY_NODES that operations take microseconds.
TEST_UNUSED static int segments_rounds(int for_two) {
    const int rounds = test_rounds(for_two);
#ifndef __NEWLIB__
    if (segments_have_nodes() && !getenv("SKERRY_NODES") && rounds > 10) return rounds / 200 > 10 ? rounds / 200 : 10;
#endif
    return rounds;
}

// -- A barrier ---------------------------------------------------------------------------------------------------------

#define BARRIER_ID UINT64_C(0xbbbb0000)

static int64_t *barrier_word;
static aos_segment_t barrier_segment;
static int64_t barriers;

TEST_UNUSED static void segments_barrier_begin(void) {
    if (me == 0) {
        barrier_word = (int64_t *)aos_malloc(64);
        REQUIRE(barrier_word, "aos_malloc gave nothing");
        *barrier_word = 0;
        REQUIRE_OK(aos_segment_create(&barrier_segment, BARRIER_ID, barrier_word, 64, NULL));
    } else {
        REQUIRE_OK(aos_segment_clone(&barrier_segment, BARRIER_ID, 0));
        barrier_word = (int64_t *)aos_pointer(&barrier_segment, 0, 8);
    }
}

// Whoever waits serves, so nobody is held up by what others still ask. A PE that cannot load the word, because PE 0 is on another
// node, fetches it again and again.
TEST_UNUSED static void barrier(void) {
    const int64_t wanted = ++barriers * pes;
    REQUIRE_OK(aos_postadd(&barrier_segment, 0, 1));
    if (barrier_word) {
        aos_event_t all;
        REQUIRE_OK(aos_event_set(&all, barrier_word, AOS_GREATER_EQUAL, wanted));
        REQUIRE_OK(aos_event_wait(&all));
        return;
    }
    for (int64_t arrived = 0; arrived < wanted; aos_progress())
        REQUIRE_OK(aos_peek(&barrier_segment, 0, &arrived, NULL));
}

TEST_UNUSED static void segments_begin(uint32_t flags) {
    REQUIRE_OK(aos_init(flags));
    me = aos_my_pe();
    pes = aos_pe_count();
    segments_barrier_begin();
    barrier();
}

TEST_UNUSED static int segments_end(void) {
    barrier();
    REQUIRE_OK(aos_finalize());
    return 0;
}

// -- Memory of every kind ----------------------------------------------------------------------------------------------

enum memory_kind { MEMORY_STATIC, MEMORY_SHARED, MEMORY_MALLOC, MEMORY_STACK, MEMORY_KINDS };
static const char *const memory_names[] = {"static data", "memory of no PE", "malloc", "stack"};

_Alignas(64) static unsigned char memory_static[MEMORY_STATIC_BYTES];

// Runs work(kind, memory) with memory of each kind; `bytes` is at most MEMORY_STATIC_BYTES.
TEST_UNUSED static void with_every_memory(size_t bytes, void (*work)(enum memory_kind kind, unsigned char *memory)) {
    work(MEMORY_STATIC, memory_static);
    unsigned char *shared = (unsigned char *)aos_malloc(bytes);
    REQUIRE(shared, "aos_malloc gave nothing");
    work(MEMORY_SHARED, shared);
    aos_free(shared);
    unsigned char *own = (unsigned char *)malloc(bytes + 63); // not every machine has aligned_alloc
    REQUIRE(own, "malloc gave nothing");
    work(MEMORY_MALLOC, own + (-(uintptr_t)own & 63));
    free(own);
    _Alignas(64) unsigned char stack[MEMORY_STATIC_BYTES];
    work(MEMORY_STACK, stack);
}

// A segment of this PE's and a clone of another's, under numbers that tell PE and round.
TEST_UNUSED static uint64_t segment_id(int pe, int round) {
    return (uint64_t)round << 16 | (unsigned)pe;
}

#endif
