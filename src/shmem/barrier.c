// SPDX-License-Identifier: BSD-3-Clause
// Barrier and synchronisation by name. A barrier completes this PE's puts first; on machines where a store that another
// PE has been told of is a store it sees, that is the barrier's own release.
#include "../primitive/barrier.h"
#include "../primitive/channel.h"
#include "collective.h"
#include "team_internal.h"

static void agree(const char *routine, struct skerry_group *group) {
    SKERRY_WHEN_CHECKING(skerry_check_collective(routine, group, &(struct skerry_collective_call){0}))
    (void)routine;
    (void)group;
}

// An active set is made for one call, and has no words.
static void barrier_of_set(struct skerry_group *group) {
    if (SKERRY_CHANNELS && !group->rounds) skerry_channel_barrier(group);
    else skerry_barrier(group);
}

SKERRY_DEFINE(void, shmem_barrier_all, (void)) {
    SKERRY_WHEN_CHECKING(skerry_check_quiet(__func__ + 1))
    agree(__func__ + 1, &skerry_team_world.group);
    skerry_complete_puts();
    skerry_barrier(&skerry_team_world.group);
}

SKERRY_DEFINE(void, shmem_sync_all, (void)) {
    agree(__func__ + 1, &skerry_team_world.group);
    skerry_barrier(&skerry_team_world.group);
}

SKERRY_DEFINE(int, shmem_team_sync, (shmem_team_t team)) {
    struct skerry_group *group = skerry_group_of(__func__ + 1, team);
    agree(__func__ + 1, group);
    skerry_barrier(group);
    return 0;
}

SKERRY_DEFINE(void, shmem_barrier, (int PE_start, int logPE_stride, int PE_size, long *pSync)) {
    struct skerry_group set;
    struct skerry_group *group = skerry_active_set(__func__ + 1, &set, PE_start, logPE_stride, PE_size, pSync);
    SKERRY_WHEN_CHECKING(skerry_check_quiet(__func__ + 1))
    agree(__func__ + 1, group);
    skerry_complete_puts();
    barrier_of_set(group);
}

SKERRY_DEFINE(void, shmem_sync, (int PE_start, int logPE_stride, int PE_size, long *pSync)) {
    struct skerry_group set;
    struct skerry_group *group = skerry_active_set(__func__ + 1, &set, PE_start, logPE_stride, PE_size, pSync);
    agree(__func__ + 1, group);
    barrier_of_set(group);
}
