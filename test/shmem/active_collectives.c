// SPDX-License-Identifier: BSD-3-Clause
// broadcast, collect, fcollect, alltoall and alltoalls of 32 and 64 bits on active sets of every shape: right results, a
// broadcast's root keeps its own destination, and each work array reads as before.
// ways: 2:2:tcp 6:2:all 8:2:tcp 3:3:tcp 9:3:tcp 12:3:all 4:4:tcp 12:4:all 16:4:tcp 5:3:tcp
#include "active_sets.h"

#define COUNT_MAX 300
#define GUARD_BYTES 16
static const size_t counts[] = {0, 1, 2, 3, 7, 64, COUNT_MAX};

static unsigned char *dest, *source;
static long broadcast_work[SHMEM_BCAST_SYNC_SIZE], collect_work[SHMEM_COLLECT_SYNC_SIZE];
static long fcollect_work[SHMEM_COLLECT_SYNC_SIZE], alltoall_work[SHMEM_ALLTOALL_SYNC_SIZE];
static long alltoalls_work[SHMEM_ALLTOALLS_SYNC_SIZE];

static uint64_t seed_of(int rank, int to, size_t count) {
    return (uint64_t)rank * 17 + (uint64_t)to * 3 + count;
}

static void require_bytes(const unsigned char *at, size_t bytes, uint64_t seed, const char *what,
                          const struct active_set *set, size_t count) {
    size_t wrong = test_first_wrong(at, bytes, seed);
    REQUIRE(wrong == bytes, "%s of %zu on set %d/%d/%d: byte %zu is wrong", what, count, set->start, set->log_stride,
            set->size, wrong);
}

#define ON_SET set->start, set->log_stride, set->size

static void try_broadcast(const struct active_set *set, size_t count, size_t size, int root) {
    size_t bytes = count * size;
    if (set->rank == root) test_fill(source, bytes, seed_of(root, 0, count));
    if (size == 4) shmem_broadcast32(dest, source, count, root, ON_SET, broadcast_work);
    else shmem_broadcast64(dest, source, count, root, ON_SET, broadcast_work);
    if (set->rank == root)
        REQUIRE(test_all_guard(dest, bytes + GUARD_BYTES), "broadcast on an active set wrote its root's destination");
    else require_bytes(dest, bytes, seed_of(root, 0, count), "broadcast", set, count);
}

static size_t share(size_t count, int rank) {
    return count - count * (size_t)(rank % 3) / 4;
}

static void try_collect(const struct active_set *set, size_t count, size_t size) {
    size_t mine = share(count, set->rank);
    test_fill(source, mine * size, seed_of(set->rank, 0, count));
    if (size == 4) shmem_collect32(dest, source, mine, ON_SET, collect_work);
    else shmem_collect64(dest, source, mine, ON_SET, collect_work);
    unsigned char *at = dest;
    for (int k = 0; k < set->size; at += share(count, k) * size, k++)
        require_bytes(at, share(count, k) * size, seed_of(k, 0, count), "collect", set, count);
    REQUIRE(test_all_guard(at, GUARD_BYTES), "collect wrote past its result");
}

static void try_fcollect(const struct active_set *set, size_t count, size_t size) {
    size_t bytes = count * size;
    test_fill(source, bytes, seed_of(set->rank, 0, count));
    if (size == 4) shmem_fcollect32(dest, source, count, ON_SET, fcollect_work);
    else shmem_fcollect64(dest, source, count, ON_SET, fcollect_work);
    for (int k = 0; k < set->size; k++)
        require_bytes(dest + (size_t)k * bytes, bytes, seed_of(k, 0, count), "fcollect", set, count);
    REQUIRE(test_all_guard(dest + (size_t)set->size * bytes, GUARD_BYTES), "fcollect wrote past its result");
}

static void try_alltoall(const struct active_set *set, size_t count, size_t size) {
    size_t bytes = count * size;
    for (int k = 0; k < set->size; k++) test_fill(source + (size_t)k * bytes, bytes, seed_of(set->rank, k, count));
    if (size == 4) shmem_alltoall32(dest, source, count, ON_SET, alltoall_work);
    else shmem_alltoall64(dest, source, count, ON_SET, alltoall_work);
    for (int k = 0; k < set->size; k++)
        require_bytes(dest + (size_t)k * bytes, bytes, seed_of(k, set->rank, count), "alltoall", set, count);
    REQUIRE(test_all_guard(dest + (size_t)set->size * bytes, GUARD_BYTES), "alltoall wrote past its result");
}

// Every second element of the source to every third of the result.
static void try_alltoalls(const struct active_set *set, size_t count, size_t size) {
    for (int k = 0; k < set->size; k++)
        for (size_t e = 0; e < count; e++)
            test_fill(source + ((size_t)k * count + e) * 2 * size, size, seed_of(set->rank, k, e));
    if (size == 4) shmem_alltoalls32(dest, source, 3, 2, count, ON_SET, alltoalls_work);
    else shmem_alltoalls64(dest, source, 3, 2, count, ON_SET, alltoalls_work);
    for (int k = 0; k < set->size; k++)
        for (size_t e = 0; e < count; e++) {
            unsigned char *at = dest + ((size_t)k * count + e) * 3 * size;
            require_bytes(at, size, seed_of(k, set->rank, e), "alltoalls", set, count);
            REQUIRE(test_all_guard(at + size, 2 * size), "alltoalls wrote between the elements of its result");
        }
}

static void require_restored(void) {
    const long *const arrays[] = {broadcast_work, collect_work, fcollect_work, alltoall_work, alltoalls_work};
    const int sizes[] = {SHMEM_BCAST_SYNC_SIZE, SHMEM_COLLECT_SYNC_SIZE, SHMEM_COLLECT_SYNC_SIZE,
                         SHMEM_ALLTOALL_SYNC_SIZE, SHMEM_ALLTOALLS_SYNC_SIZE};
    for (int a = 0; a < 5; a++)
        for (int i = 0; i < sizes[a]; i++)
            REQUIRE(arrays[a][i] == SHMEM_SYNC_VALUE, "collective %d left element %d of its pSync changed", a, i);
}

int main(void) {
    test_begin();
    size_t bytes = (size_t)pes * COUNT_MAX * 8 * 3 + GUARD_BYTES;
    dest = test_malloc(bytes);
    source = test_malloc(bytes);
    struct active_set sets[ACTIVE_SETS_MAX];
    int count = active_sets(sets);
    // SHMEM_SYNC_VALUE is what the arrays hold from the start when it is zero; a program may not know that.
    for (int i = 0; i < SHMEM_BCAST_SYNC_SIZE; i++) broadcast_work[i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_COLLECT_SYNC_SIZE; i++) collect_work[i] = fcollect_work[i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_ALLTOALL_SYNC_SIZE; i++) alltoall_work[i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_ALLTOALLS_SYNC_SIZE; i++) alltoalls_work[i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < count; i++)
        for (int what = 0; what < 10; what++) {
            const struct active_set *set = &sets[i];
            size_t elements = counts[(size_t)(i + what) % TEST_COUNT(counts)], size = what < 5 ? 4 : 8;
            memset(dest, TEST_GUARD, bytes);
            shmem_barrier_all(); // destinations and work arrays are ready
            if (set->rank >= 0) switch (what % 5) {
                case 0: try_broadcast(set, elements, size, (i + what) % set->size); break;
                case 1: try_collect(set, elements, size); break;
                case 2: try_fcollect(set, elements, size); break;
                case 3: try_alltoall(set, elements, size); break;
                default: try_alltoalls(set, elements, size);
                }
            shmem_barrier_all();
            require_restored();
        }
    return test_end();
}
