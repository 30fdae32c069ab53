// SPDX-License-Identifier: BSD-3-Clause
// Implements broadcast. Three algorithms:
// - Large data: all other members copy from the root's source concurrently. The root waits until all of them have
//   copied the data, because the caller is allowed to change the source on return.
// - Small data in a large team whose members all have a processor: the members pass the data down a binomial tree. Each
//   sender begins with the receiver whose rank is farthest from its own.
// - Small data in other groups: the root stores the data into every destination.
#include "collective.h"

// Copies the data to the destination of member `to`. Then stores the number of this broadcast, with release, in a word
// of that member's area (skerry_heard_from). The receiver waits until the word is at least this number. Only this
// member writes this word, and its values only grow. A larger number means that this member is already in a later
// broadcast.
static void deliver(struct skerry_group *group, void *dest, const void *data, size_t bytes, int to) {
    int pe = skerry_member(group, to);
    skerry_copy(skerry_global(dest, pe), data, bytes);
    skerry_store_release(skerry_heard_from(group, group->rank), group->broadcasts, pe);
}

static void await_from(struct skerry_group *group, int from) {
    const skerry_word *heard = skerry_poll_address(skerry_heard_from(group, from));
    SKERRY_WAIT_UNTIL(skerry_reached(heard, group->broadcasts), skerry_my_pe());
}

// Returns true if small data is sent through cells (memory for one message at a receiver). A cell holds the payload and
// the broadcast's number in one cache line: a message costs one transfer of a line between processors. An
// oversubscribed job (more PEs are awake than there are processors) stores the data at its final place instead. With
// cells the sender would wait there for receivers that have no processor and do not empty their cells.
static bool fits_cell(const struct skerry_group *group, size_t bytes) {
    return bytes <= SKERRY_CELL_BYTES && !skerry_is_oversubscribed() && group->area;
}

static struct skerry_cell *cell_of(const struct skerry_group *group) {
    return &group->area->broadcast[group->broadcasts % SKERRY_BROADCAST_CELLS];
}

// Sends the data of broadcast k = group->broadcasts to member `to`, through a cell (memory for one message) in that
// member's area. The cell is number k % CELLS, where CELLS is SKERRY_BROADCAST_CELLS. The receiver's word `taken` is
// the number of broadcasts that the receiver has ended; the receiver stores it with release after it has read the cell.
// *known is the last value of `taken` that the sender has read.
static void send_cell(struct skerry_group *group, const void *data, size_t bytes, int to, skerry_word *known) {
    int pe = skerry_member(group, to);
    // The sender writes the cell only after the receiver has ended broadcast k - CELLS, which used the same cell.
    // (CELLS is SKERRY_BROADCAST_CELLS.) The sender needs a newer value of `taken` only in one of CELLS broadcasts.
    if (group->broadcasts - *known > SKERRY_BROADCAST_CELLS) {
        const skerry_word *taken = skerry_global(&group->area->taken.value, pe);
        SKERRY_WAIT_UNTIL(group->broadcasts - (*known = SKERRY_LOAD_ACQUIRE(taken)) <= SKERRY_BROADCAST_CELLS, pe);
    }
    struct skerry_cell *cell = cell_of(group);
    skerry_copy(skerry_global(cell->payload, pe), data, bytes);
    skerry_store_release(&cell->sequence, group->broadcasts, pe);
}

static const void *receive_cell(struct skerry_group *group) {
    const struct skerry_cell *cell = skerry_poll_address(cell_of(group));
    SKERRY_WAIT_UNTIL(skerry_reached(&cell->sequence, group->broadcasts), skerry_my_pe());
    return cell->payload;
}

static void push_flat(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root) {
    if (group->rank != root) {
        await_from(group, root);
        return;
    }
    for (int i = 1; i < group->size; i++) deliver(group, dest, source, bytes, skerry_wrapped(root + i, group->size));
}

// Sends small data from the root to every other member through that member's cell (memory for one message). The element
// group->taken[i - 1] is for the member i ranks after this member. The element holds the last value of that member's
// word `taken` that this member has read.
static void push_cells_flat(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root) {
    if (group->rank != root) {
        skerry_copy(dest, receive_cell(group), bytes);
        if (group->size == 2) group->taken[0] = group->broadcasts - 1; // the sender has ended all earlier broadcasts
        return;
    }
    for (int i = 1; i < group->size; i++)
        send_cell(group, source, bytes, skerry_wrapped(root + i, group->size), &group->taken[i - 1]);
}

// Pushes data down a binomial tree. Ranks are counted from the root, which has rank 0. Let b be the lowest set bit of
// r. Member r receives the data from member r - b. Member r sends the data to member r + p for each power of two p
// below b.
static void push_tree(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root) {
    int relative = skerry_wrapped(group->rank - root + group->size, group->size);
    int reach = 1;
    while (reach < group->size && !(relative & reach)) reach *= 2;
    const bool in_cell = fits_cell(group, bytes);
    const void *data = source;
    if (relative && in_cell) {
        data = receive_cell(group);
    } else if (relative) {
        await_from(group, skerry_wrapped(relative - reach + root, group->size));
        data = skerry_global(dest, skerry_my_pe());
    }
    int index = 0; // group->taken[index] is `taken` of the member 2^index ranks after this member
    while (2 << index < group->size) index++;
    for (int step = 1 << index; step > 0; step /= 2, index--) {
        if (step >= reach || relative + step >= group->size) continue;
        int to = skerry_wrapped(relative + step + root, group->size);
        if (in_cell) send_cell(group, data, bytes, to, &group->taken[index]);
        else deliver(group, dest, data, bytes, to);
    }
    if (relative && in_cell) skerry_copy(dest, data, bytes);
}

static void copy_offered(const struct skerry_group *group, void *dest, const void *source, size_t bytes) {
    skerry_copy_one_of_many(dest, source, bytes, ((uint64_t)(unsigned)group->size + 1) * bytes);
}

// Broadcasts large data. The root publishes the address of its source in `offered`. Each other member copies from that
// address, and then adds 1 to the root's word `fetched`. The root copies to its own destination while the other members
// copy.
static void offer(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root,
                  bool root_copies) {
    int root_pe = skerry_member(group, root);
    if (group->rank != root) {
        await_from(group, root);
        const skerry_word *offered = skerry_global(&group->area->offered.value, root_pe);
        skerry_word address = SKERRY_LOAD_ACQUIRE(offered);
        copy_offered(group, dest, (const void *)(uintptr_t)address, bytes);
        skerry_atomic_count_and_wake(&group->area->fetched.value, 1, root_pe);
        return;
    }
    group->area->offered.value = (skerry_word)(uintptr_t)skerry_global(source, skerry_my_pe());
    for (int i = 1; i < group->size; i++)
        skerry_store_release(skerry_heard_from(group, root), group->broadcasts,
                             skerry_member(group, skerry_wrapped(root + i, group->size)));
    if (root_copies) copy_offered(group, dest, source, bytes);
    group->offers += (unsigned)group->size - 1;
    const skerry_word *fetched = &group->area->fetched.value;
    SKERRY_WAIT_UNTIL(skerry_reached(fetched, group->offers), skerry_my_pe());
}

static void push_on_work_array(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root) {
    if (group->rank == root)
        for (int i = 1; i < group->size; i++) {
            int pe = skerry_member(group, skerry_wrapped(root + i, group->size));
            skerry_copy(skerry_global(dest, pe), source, bytes);
        }
    skerry_barrier(group);
}

static void push(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root) {
    if (!group->area) push_on_work_array(group, dest, source, bytes, root);
    else if (group->size <= SKERRY_FLAT_BROADCAST_MEMBERS && fits_cell(group, bytes))
        push_cells_flat(group, dest, source, bytes, root);
    else if (skerry_is_oversubscribed() || group->size <= SKERRY_FLAT_BROADCAST_MEMBERS)
        push_flat(group, dest, source, bytes, root);
    else push_tree(group, dest, source, bytes, root);
}

void skerry_broadcast(struct skerry_group *group, void *dest, const void *source, size_t bytes, int root,
                      bool root_too) {
    if (SKERRY_CHANNELS) {
        skerry_broadcast_writing(group, dest, source, bytes, root, root_too);
        return;
    }
    group->broadcasts++;
    if (SKERRY_LEVELS(group)) {
        skerry_broadcast_levels(group, dest, source, bytes, root, root_too);
        return;
    }
    const int copies = group->size - (root_too ? 0 : 1);
    const bool root_copies = root_too && group->rank == root && dest != source;
    if (copies > 1 && group->area && bytes >= SKERRY_OFFER_BYTES) {
        offer(group, dest, source, bytes, root, root_copies);
    } else {
        if (group->size > 1) push(group, dest, source, bytes, root);
        if (root_copies) skerry_copy(dest, source, bytes); // last, so that no other member waits for this copy
    }
    if (group->area) skerry_store_release(&group->area->taken.value, group->broadcasts, skerry_my_pe());
}

// -- The bodies of the table -------------------------------------------------------------------------------------------

static int team_broadcast(const char *routine, shmem_team_t team, void *dest, const void *source, size_t count,
                          size_t size, int root) {
    struct skerry_group *group = skerry_group_of(routine, team);
    if (root < 0 || root >= group->size)
        skerry_fail_values(routine, "PE_root # is not in the team of # PEs", (long[]){root, group->size}, 2);
    SKERRY_WHEN_CHECKING(skerry_check_collective(
        routine, group, &(struct skerry_collective_call){dest, count, source, count, size, {count, (uint64_t)root}}))
    skerry_broadcast(group, dest, source, count * size, root, true);
    return 0;
}

// The body of the broadcasts on active sets, which do not write the root's own destination. The compiler inlines it
// into two routines, one for each size of an element. A call with nine arguments would take 44 cycles on a core of an
// Epiphany chip.
static inline __attribute__((always_inline)) void set_broadcast(const char *routine, void *dest, const void *source,
                                                                size_t count, size_t size, int root, int start,
                                                                int log_stride, int pes, long *work_array) {
    struct skerry_group set;
    struct skerry_group *group =
        skerry_active_set(routine, SKERRY_CHANNELS ? 0 : &set, start, log_stride, pes, work_array);
    if (root < 0 || root >= pes)
        skerry_fail_values(routine, "PE_root # is not in the active set of # PEs", (long[]){root, pes}, 2);
    SKERRY_WHEN_CHECKING(skerry_check_collective(
        routine, group, &(struct skerry_collective_call){dest, count, source, count, size, {count, (uint64_t)root}}))
    skerry_broadcast(group, dest, source, count * size, root, false);
}

#define SKERRY_READING_SYMBOLS
#include "api.h"
#include "broadcast.h"
