// SPDX-License-Identifier: BSD-3-Clause
// Words that other PEs fill in a random order: any, some and all forms, masking what has come, collect every word exactly
// once and see the data behind each.
// ways: 4:2:remote 64:4:tcp
#include "test.h"

// Messages of each PE to each in a lap, and laps: the work grows with the square of the number of PEs, which share few
// processors if they are more than 16.
static int each(void) {
    return pes <= 16 ? 40 : 5;
}

static int laps(void) {
    return pes <= 16 ? 40 : 10; // a multiple of 5
}

static uint64_t *flags;
static long *data;
static int *status;
static size_t *indices;

static size_t slots(void) {
    return (size_t)pes * (size_t)each();
}

// Data first, then the flag: each message has a slot of its own.
static void send_all(uint64_t seed, int lap) {
    for (int i = 0; i < each(); i++)
        for (int k = 0; k < pes; k++) {
            int to = (me + k) % pes;
            size_t slot = (size_t)me * (size_t)each() + (size_t)i;
            shmem_long_p(&data[slot], (long)slot * 10 + lap, to);
            shmem_fence();
            shmem_uint64_atomic_set(&flags[slot], (uint64_t)lap, to);
            if (test_random(&seed) % 16 == 0) shmem_quiet();
        }
}

static void take(size_t slot, int lap, const char *what) {
    REQUIRE(slot < slots() && !status[slot], "%s gave index %zu, which it should not", what, slot);
    REQUIRE(data[slot] == (long)slot * 10 + lap, "%s: the flag of slot %zu came before its data", what, slot);
    status[slot] = 1;
}

static void take_by_any(int lap) {
    for (size_t left = slots(); left > 0; left--)
        take(shmem_uint64_wait_until_any(flags, slots(), status, SHMEM_CMP_EQ, (uint64_t)lap), lap, "wait_until_any");
    REQUIRE(shmem_uint64_wait_until_any(flags, slots(), status, SHMEM_CMP_EQ, (uint64_t)lap) == SIZE_MAX,
            "nothing is left");
}

static void take_by_some(int lap) {
    for (size_t left = slots(); left > 0;) {
        size_t count = shmem_uint64_wait_until_some(flags, slots(), indices, status, SHMEM_CMP_EQ, (uint64_t)lap);
        REQUIRE(count >= 1 && count <= left, "wait_until_some gave %zu of %zu", count, left);
        for (size_t i = 0; i < count; i++) take(indices[i], lap, "wait_until_some");
        left -= count;
    }
}

static void take_by_test(int lap) {
    for (size_t left = slots(); left > 0;) {
        size_t one = shmem_uint64_test_any(flags, slots(), status, SHMEM_CMP_EQ, (uint64_t)lap);
        if (one == SIZE_MAX) continue;
        take(one, lap, "test_any");
        left--;
        size_t count = shmem_uint64_test_some(flags, slots(), indices, status, SHMEM_CMP_EQ, (uint64_t)lap);
        for (size_t i = 0; i < count; i++) take(indices[i], lap, "test_some");
        left -= count;
    }
}

static void take_all(int lap, bool by_test) {
    if (by_test)
        while (!shmem_uint64_test_all(flags, slots(), NULL, SHMEM_CMP_EQ, (uint64_t)lap)) continue;
    else shmem_uint64_wait_until_all(flags, slots(), NULL, SHMEM_CMP_EQ, (uint64_t)lap);
    for (size_t i = 0; i < slots(); i++) take(i, lap, by_test ? "test_all" : "wait_until_all");
}

int main(void) {
    test_begin();
    flags = shmem_calloc(slots(), sizeof *flags);
    data = shmem_calloc(slots(), sizeof *data);
    status = calloc(slots(), sizeof *status);
    indices = calloc(slots(), sizeof *indices);
    REQUIRE(flags && data && status && indices, "no memory");
    for (int lap = 1; lap <= laps(); lap++) {
        memset(status, 0, slots() * sizeof *status);
        send_all((uint64_t)(me + lap), lap);
        if (lap % 5 == 1) take_by_any(lap);
        if (lap % 5 == 2) take_by_some(lap);
        if (lap % 5 == 3) take_by_test(lap);
        if (lap % 5 == 4) take_all(lap, true);
        if (lap % 5 == 0) take_all(lap, false);
        shmem_barrier_all();
    }
    return test_end();
}
