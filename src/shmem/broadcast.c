// SPDX-License-Identifier: BSD-3-Clause
// Broadcast. Small data is pushed: into every destination by the root, or down a binomial tree, farthest distance first,
// where each member has a processor. Large data is offered: the others read it at the same time, and the root waits until
// they have, because it may reuse its source on return.
#include "collective.h"

// From here on reading in parallel beats writing one copy after the other (bench broadcast, 4 PEs and more).
#define OFFER_BYTES 32768
#define FLAT_MEMBERS 4

// heard_from[root's rank or tree parent] at a member is written only by that member, with numbers that only grow; the
// data stands before the number. A root that runs ahead changes the number to a larger one, which still says that the
// data of this broadcast has arrived.
static void deliver(struct skerry_group *group, void *dest, const void *data, size_t bytes, int to) {
    int pe = skerry_member(group, to);
    skerry_copy(skerry_global(dest, pe), data, bytes);
    skerry_atomic_store_64(skerry_heard_from(group, group->rank), group->broadcasts, pe);
}

static void await_from(struct skerry_group *group, int from) {
    const uint64_t *heard = skerry_poll_address(skerry_heard_from(group, from));
    SKERRY_WAIT_UNTIL(skerry_word_now(heard) >= group->broadcasts, skerry_my_pe());
}

static int wrapped(int rank, int size) {
    return rank >= size ? rank - size : rank;
}

static void push_flat(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root) {
    if (group->rank != root) {
        await_from(group, root);
        return;
    }
    for (int i = 1; i < group->size; i++) deliver(group, dest, source, bytes, wrapped(root + i, group->size));
}

// In ranks relative to the root, member r gets the data from r without its lowest set bit, and passes it to r plus each
// smaller power of two.
static void push_tree(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root) {
    int relative = wrapped(group->rank - root + group->size, group->size);
    int reach = 1;
    while (reach < group->size && !(relative & reach)) reach *= 2;
    const void *data = source;
    if (relative) {
        await_from(group, wrapped(relative - reach + root, group->size));
        data = skerry_global(dest, skerry_my_pe());
    }
    for (reach /= 2; reach > 0; reach /= 2)
        if (relative + reach < group->size) deliver(group, dest, data, bytes, wrapped(relative + reach + root, group->size));
}

static void offer(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root) {
    int root_pe = skerry_member(group, root);
    if (group->rank != root) {
        await_from(group, root);
        uint64_t address = skerry_word_now(skerry_global(&group->area->offered.value, root_pe));
        skerry_copy(dest, (const void *)(uintptr_t)address, bytes);
        skerry_atomic_add_64(&group->area->fetched.value, 1, root_pe);
        return;
    }
    group->area->offered.value = (uint64_t)(uintptr_t)skerry_global(source, skerry_my_pe());
    for (int i = 1; i < group->size; i++)
        skerry_atomic_store_64(skerry_heard_from(group, root), group->broadcasts,
                               skerry_member(group, wrapped(root + i, group->size)));
    group->offers += (unsigned)group->size - 1;
    const uint64_t *fetched = &group->area->fetched.value;
    SKERRY_WAIT_UNTIL(skerry_word_now(fetched) >= group->offers, skerry_my_pe());
}

static void push_on_work_array(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root) {
    if (group->rank == root)
        for (int i = 1; i < group->size; i++) {
            int pe = skerry_member(group, wrapped(root + i, group->size));
            skerry_copy(skerry_global(dest, pe), source, bytes);
        }
    skerry_barrier(group);
}

void skerry_broadcast(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root, bool root_too) {
    group->broadcasts++;
    if (group->rank == root && root_too && dest != source) skerry_copy(dest, source, bytes);
    if (group->size == 1) return;
    if (!group->area)
        push_on_work_array(group, dest, source, bytes, root);
    else if (bytes >= OFFER_BYTES && group->size > 2)
        offer(group, dest, source, bytes, root);
    else if (skerry_is_crowded() || group->size <= FLAT_MEMBERS)
        push_flat(group, dest, source, bytes, root);
    else
        push_tree(group, dest, source, bytes, root);
}

static int team_broadcast(const char *routine, shmem_team_t team, void *dest, const void *source, size_t count,
                          size_t size, int root) {
    struct skerry_group *group = skerry_group_of(routine, team);
    if (root < 0 || root >= group->size)
        skerry_fail_values(routine, "PE_root # is not in the team of # PEs", (long[]){root, group->size}, 2);
    SKERRY_WHEN_CHECKING(skerry_check_collective(
        routine, group,
        &(struct skerry_collective_call){dest, count * size, source, count * size, {count, (uint64_t)root}}))
    skerry_broadcast(group, dest, source, count * size, root, true);
    return 0;
}

#define SKERRY_LIST(NAME, TYPE)                                                                                          \
    SKERRY_DEFINE(int, shmem_##NAME##_broadcast,                                                                         \
                  (shmem_team_t team, TYPE * dest, const TYPE *source, size_t nelems, int PE_root)) {                    \
        return team_broadcast(__func__ + 1, team, dest, source, nelems, sizeof(TYPE), PE_root);                          \
    }
SKERRY_RMA_TYPES(SKERRY_LIST)
#undef SKERRY_LIST
SKERRY_DEFINE(int, shmem_broadcastmem, (shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root)) {
    return team_broadcast(__func__ + 1, team, dest, source, nelems, 1, PE_root);
}

// On active sets the root's own destination is not written.
#define SKERRY_LIST(BITS, BYTES)                                                                                         \
    SKERRY_DEFINE(void, shmem_broadcast##BITS,                                                                           \
                  (void *dest, const void *source, size_t nelems, int PE_root, int PE_start, int logPE_stride,           \
                   int PE_size, long *pSync)) {                                                                          \
        struct skerry_group set;                                                                                         \
        struct skerry_group *group = skerry_active_set(__func__ + 1, &set, PE_start, logPE_stride, PE_size, pSync);      \
        if (PE_root < 0 || PE_root >= PE_size)                                                                           \
            skerry_fail_values(__func__ + 1, "PE_root # is not in the active set of # PEs", (long[]){PE_root, PE_size}, 2); \
        SKERRY_WHEN_CHECKING(skerry_check_collective(                                                                    \
            __func__ + 1, group,                                                                                         \
            &(struct skerry_collective_call){                                                                            \
                dest, nelems * BYTES, source, nelems * BYTES, {nelems, (uint64_t)PE_root}}))                             \
        skerry_broadcast(group, dest, source, nelems * BYTES, PE_root, false);                                           \
    }
SKERRY_OLD_SIZES(SKERRY_LIST)
#undef SKERRY_LIST
