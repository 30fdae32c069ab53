// SPDX-License-Identifier: BSD-3-Clause
// Finds the group of a team or of an active set, and answers queries about teams. team_begin.c sets up the predefined
// teams; team_split.c makes new teams by splitting.
#include "collective.h"
#include "team_internal.h"

struct skerry_team skerry_team_world;
#if SKERRY_CHANNELS
// On machines with channels (../primitive/channel.h) a PE has one thread. So all PEs call the collectives on the three
// predefined teams in the same order. Therefore these teams, which all contain every PE, need no separate words for
// synchronisation: one object is all three.
extern struct skerry_team skerry_team_shared __attribute__((alias("skerry_team_world")));
extern struct skerry_team skerry_team_active_world __attribute__((alias("skerry_team_world")));
#else
struct skerry_team skerry_team_shared;
struct skerry_team skerry_team_active_world;
#endif

struct skerry_area *skerry_area_of(int number) {
    size_t bytes;
    char *memory = skerry_system_memory(&bytes);
    return (struct skerry_area *)(void *)(memory + (size_t)(unsigned)number * skerry_team_area_bytes());
}

struct skerry_group *skerry_group_of(const char *routine, shmem_team_t team) {
    SKERRY_WHEN_CHECKING(skerry_check_is_team(routine, team))
    if (team == SHMEM_TEAM_INVALID) skerry_fail(routine, "team: must not be SHMEM_TEAM_INVALID");
    if (!team->live)
        skerry_fail(routine, skerry_library.initializations > 0 ? "team: must not be used after it was destroyed"
                                                                : skerry_not_running());
    return &team->group;
}

// Returns this PE's rank in an active set. Ends the job with an error message if the set is invalid or this PE is not
// in it.
static int rank_in_set(const char *routine, int start, int log_stride, int size) {
    if (SKERRY_CAN_CHECK && skerry_library.initializations == 0) skerry_fail(routine, skerry_not_running());
    int distance = skerry_my_pe() - start;
    int rank = distance >> (log_stride & 31);
    if ((unsigned)log_stride > 30 || start < 0 || size < 1 || distance < 0 || rank >= size ||
        distance & ((1 << log_stride) - 1) || start + (long)(size - 1) * (1L << log_stride) >= skerry_pe_count())
        skerry_refuse_set(routine, start, log_stride, size);
    return rank;
}

// Returns the group of an active set. If the set contains every PE, this is the group of all PEs. If not, the function
// fills in `group` and returns it.
static struct skerry_group *make_set(const char *routine, struct skerry_group *group, int start, int log_stride,
                                     int size, long *work_array) {
    int rank = rank_in_set(routine, start, log_stride, size);
    SKERRY_WHEN_CHECKING(skerry_check_sync_array(routine, work_array))
    // An active set of all PEs uses the group of all PEs, except with SHMEM_THREAD_MULTIPLE. With that thread level
    // several threads can be in collectives on the same PEs with different work arrays at the same time. Only one
    // thread could use the area of the group of all PEs (its words for synchronisation). So each of these collectives
    // uses its work array.
    if (size == skerry_pe_count() && skerry_library.thread_level != SHMEM_THREAD_MULTIPLE)
        return &skerry_team_active_world.group;
    group->start = start;
    group->stride = 1 << log_stride;
    group->size = size;
    group->rank = rank;
    group->work_array = work_array;
    // A group without an area (words of its own in each member's memory) needs no values in its counters. No collective
    // uses its counters, except `broadcasts`: without channels every broadcast increments `broadcasts`, but nothing
    // reads the value.
    group->area = 0;
    if (!SKERRY_CHANNELS) group->broadcasts = 0;
    group->by_hardware = false;
    group->rounds = 0;
#if SKERRY_FAR_PES
    static SKERRY_PER_THREAD struct skerry_levels levels; // a thread is in one collective at a time
    skerry_levels_form(group, &levels);
#endif
    return group;
}

// Returns the group of an active set on a machine with channels (../primitive/channel.h). On these machines a group
// does not use the work array, and a PE has one thread. So the function can keep the group of the last set, and return
// it again for the same arguments. A repeated set is frequent, because programs use one set in a loop.
static struct skerry_group *same_set_again(const char *routine, int start, int log_stride, int size) {
    static struct {
        int start, log_stride, size; // of the last set; `size` is 0 before the first set
        struct skerry_group *group;
    } last;
    static struct skerry_group storage;
    if (((size ^ last.size) | (start ^ last.start) | (log_stride ^ last.log_stride)) != 0) {
        last.group = make_set(routine, &storage, start, log_stride, size, 0);
        last.start = start;
        last.log_stride = log_stride;
        last.size = size;
    }
    return last.group;
}

struct skerry_group *skerry_active_set(const char *routine, struct skerry_group *storage, int start, int log_stride,
                                       int size, long *work_array) {
    if (SKERRY_CHANNELS) return same_set_again(routine, start, log_stride, size);
    return make_set(routine, storage, start, log_stride, size, work_array);
}

// -- Queries -----------------------------------------------------------------------------------------------------------

SKERRY_DEFINE(int, shmem_team_my_pe, (shmem_team_t team)) {
    return team == SHMEM_TEAM_INVALID ? -1 : skerry_group_of(__func__ + 1, team)->rank;
}

SKERRY_DEFINE(int, shmem_team_n_pes, (shmem_team_t team)) {
    return team == SHMEM_TEAM_INVALID ? -1 : skerry_group_of(__func__ + 1, team)->size;
}

SKERRY_DEFINE(int, shmem_team_get_config, (shmem_team_t team, long config_mask, shmem_team_config_t *config)) {
    if (team == SHMEM_TEAM_INVALID || config_mask & ~SHMEM_TEAM_NUM_CONTEXTS) return -1;
    skerry_group_of(__func__ + 1, team);
    SKERRY_WHEN_CHECKING(skerry_check_config(__func__ + 1, "config", config, config_mask))
    if (config_mask & SHMEM_TEAM_NUM_CONTEXTS) config->num_contexts = team->contexts_wanted;
    return 0;
}

// Returns the rank in the group of PE `pe` of the world. Returns -1 if that PE is not a member.
static int rank_of(const struct skerry_group *group, int pe) {
    int distance = pe - group->start;
    if (group->size == 1) return distance == 0 ? 0 : -1;
    if (distance % group->stride) return -1;
    int rank = distance / group->stride;
    return rank >= 0 && rank < group->size ? rank : -1;
}

SKERRY_DEFINE(int, shmem_team_translate_pe, (shmem_team_t src_team, int src_pe, shmem_team_t dest_team)) {
    if (src_team == SHMEM_TEAM_INVALID || dest_team == SHMEM_TEAM_INVALID) return -1;
    const struct skerry_group *from = skerry_group_of(__func__ + 1, src_team);
    const struct skerry_group *to = skerry_group_of(__func__ + 1, dest_team);
    if (src_pe < 0 || src_pe >= from->size) return -1;
    return rank_of(to, skerry_member(from, src_pe));
}

SKERRY_DEFINE(void *, shmem_team_ptr, (shmem_team_t team, const void *dest, int pe)) {
    if (team == SHMEM_TEAM_INVALID) return 0;
    const struct skerry_group *group = skerry_group_of(__func__ + 1, team);
    if (pe < 0 || pe >= group->size) return 0;
    return shmem_ptr(dest, skerry_member(group, pe));
}
