// SPDX-License-Identifier: BSD-3-Clause
// Waits until all members of a group have published a record for the same group. The records can name different routines.
// 1. The leader of each node (the first of the group's members there) waits until every member on its node has published
//    its record.
// 2. In a group on several nodes the leaders tell member 0, and get the record of member 0 (check_far.c).
// 3. A leader sets its own record to COMPLETE. The other members of its node wait for that.
// 4. All members have the record of member 0: in its own memory, or in the memory of their node's leader.
#include "check_record.h"

// Waits until near PE `pe` has published a record for the group of `mine`. If `state` is COMPLETE, the record must also
// be COMPLETE. Copies the record to *found, and returns its index. A record does not change between COMPLETE and the end
// of the wait, so the second copy has all that its owner stored before COMPLETE.
static int await(int pe, enum skerry_check_state state, const struct skerry_check_record *mine,
                 struct skerry_check_record *found) {
    const struct skerry_check_record *records = skerry_check_board_of(pe)->records;
    SKERRY_PAUSE(pause);
    struct skerry_check_searches searches = {0};
    for (;;) {
        const int index = skerry_check_find(pe, mine, found);
        if (index >= 0 && state == SKERRY_CHECK_ARRIVED) return index;
        if (index >= 0 && __atomic_load_n(&records[index].state, __ATOMIC_ACQUIRE) == SKERRY_CHECK_COMPLETE) {
            *found = records[index];
            return index;
        }
        skerry_pause(&pause, pe);
        skerry_check_search_sometimes(&searches, mine);
    }
}

// The other members of the node read what this function stores, and what member 0 has sent, after they have seen COMPLETE.
static void await_as_leader(struct skerry_check_record *mine, const struct skerry_group *group) {
    const struct skerry_levels *levels = SKERRY_LEVELS(group);
    const int members = levels ? levels->node.size : group->size;
    uint64_t bytes = mine->source_bytes;
    for (int i = 1; i < members; i++) {
        struct skerry_check_record theirs;
        await(skerry_my_pe() + i * mine->stride, SKERRY_CHECK_ARRIVED, mine, &theirs);
        bytes += theirs.source_bytes;
    }
    if (levels && levels->index > 0) skerry_check_await_first(mine, bytes);
    else if (levels) skerry_check_await_nodes(mine, group, &bytes);
    mine->all_source_bytes = bytes;
    skerry_check_set_state(mine, SKERRY_CHECK_COMPLETE);
    skerry_wake(skerry_my_pe());
    if (levels && levels->index == 0) skerry_check_release_nodes(mine, group);
}

void skerry_check_await_all(struct skerry_check_record *mine, const struct skerry_group *group,
                            struct skerry_check_record *first) {
    const struct skerry_levels *levels = SKERRY_LEVELS(group);
    const int leader = levels ? levels->node.start : group->start;
    const struct skerry_check_board *board = skerry_check_board_of(leader);
    int index = (int)(mine - board->records);
    if (leader == skerry_my_pe()) {
        await_as_leader(mine, group);
        skerry_check_copy(first, mine);
    } else {
        index = await(leader, SKERRY_CHECK_COMPLETE, mine, first);
    }
    if (levels && levels->index > 0) *first = board->far[index].first;
}
