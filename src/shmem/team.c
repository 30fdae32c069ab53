// SPDX-License-Identifier: BSD-3-Clause
// Teams: the predefined ones, active sets, queries. What a program gets by splitting is in team_split.c.
#include "collective.h"
#include "team_internal.h"

struct skerry_team skerry_team_world;
#if SKERRY_CHANNELS
// A PE has one thread, so collectives of all PEs come in one order and the predefined teams can be one.
extern struct skerry_team skerry_team_shared __attribute__((alias("skerry_team_world")));
extern struct skerry_team skerry_team_active_world __attribute__((alias("skerry_team_world")));
#else
struct skerry_team skerry_team_shared;
struct skerry_team skerry_team_active_world;
#endif

// Where no team is ever split off, the table of teams need not be there.
extern SKERRY_PRIVATE void skerry_split_teams_begin(void) __attribute__((weak));
extern SKERRY_PRIVATE void skerry_split_teams_end(void) __attribute__((weak));

static skerry_word world_rounds[SKERRY_PARTNERS_MAX]; // over channels only

struct skerry_area *skerry_area_of(int number) {
    size_t bytes;
    char *memory = skerry_system_memory(&bytes);
    return (struct skerry_area *)(void *)(memory + (size_t)(unsigned)number * skerry_area_bytes(skerry_pe_count()));
}

void skerry_team_form(struct skerry_team *team, int number, int start, int stride, int size, int rank,
                      skerry_word *rounds) {
    *team = (struct skerry_team){
        .group =
            {
                .start = start,
                .stride = stride,
                .size = size,
                .rank = rank,
            },
        .number = number,
        .live = true,
    };
    if (SKERRY_CHANNELS) skerry_barrier_prepare(&team->group, rounds);
    else team->group.area = skerry_area_of(number);
}

static void form_predefined(struct skerry_team *team, int number) {
    // A later initialisation goes on where the last one ended: the words of the area never shrink.
    if (team->group.size == 0) skerry_team_form(team, number, 0, 1, skerry_pe_count(), skerry_my_pe(), world_rounds);
    team->group.by_hardware = skerry_has_hardware_barrier();
    team->live = true;
}

void skerry_teams_begin(void) {
    form_predefined(&skerry_team_world, 0);
    if (!SKERRY_CHANNELS) { // which are one and the same otherwise
        form_predefined(&skerry_team_shared, 1);
        form_predefined(&skerry_team_active_world, 2);
    }
    if (skerry_split_teams_begin) skerry_split_teams_begin();
}

void skerry_teams_end(void) {
    if (skerry_split_teams_end) skerry_split_teams_end();
    skerry_team_world.live = false;
    if (!SKERRY_CHANNELS) skerry_team_shared.live = skerry_team_active_world.live = false;
}

struct skerry_group *skerry_group_of(const char *routine, shmem_team_t team) {
    SKERRY_WHEN_CHECKING(skerry_check_is_team(routine, team))
    if (team == SHMEM_TEAM_INVALID) skerry_fail(routine, "team is SHMEM_TEAM_INVALID");
    if (!team->live)
        skerry_fail(routine, skerry_library.initializations > 0 ? "team was destroyed" : skerry_not_running());
    return &team->group;
}

// The PE's rank, when all is as it must be.
static int rank_in_set(const char *routine, int start, int log_stride, int size) {
    int pes = skerry_pe_count();
    long last = start + (long)(size - 1) * (1L << (log_stride & 31));
    if (start < 0 || log_stride < 0 || log_stride > 30 || size < 1 || last >= pes)
        skerry_fail_values(routine, "active set of # PEs from PE # with logPE_stride # is not inside the job's # PEs",
                           (long[]){size, start, log_stride, pes}, 4);
    int distance = skerry_my_pe() - start;
    int rank = distance >> log_stride;
    if (distance < 0 || distance & ((1 << log_stride) - 1) || rank >= size)
        skerry_fail_values(routine, "this PE is not in the active set of # PEs from PE # with logPE_stride #",
                           (long[]){size, start, log_stride}, 3);
    return rank;
}

// The group of the world, or `group` filled in.
static struct skerry_group *make_set(const char *routine, struct skerry_group *group, int start, int log_stride,
                                     int size, long *work_array) {
    int rank = rank_in_set(routine, start, log_stride, size);
    SKERRY_WHEN_CHECKING(skerry_check_sync_array(routine, work_array))
    // Threads may be in collectives on different work arrays at once; only one of them can have the world's area.
    if (size == skerry_pe_count() && skerry_library.thread_level != SHMEM_THREAD_MULTIPLE)
        return &skerry_team_active_world.group;
    group->start = start;
    group->stride = 1 << log_stride;
    group->size = size;
    group->rank = rank;
    group->work_array = work_array;
    group->area = 0; // nothing behind is looked at then
    group->by_hardware = false;
    group->rounds = 0;
    return group;
}

// Over channels nothing of a set depends on the work array, and the PE has one thread. So the last set is kept: programs use
// one in a loop.
static struct skerry_group *same_set_again(const char *routine, int start, int log_stride, int size) {
    static struct {
        int start, log_stride, size; // size 0: none yet
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
    if (config_mask & SHMEM_TEAM_NUM_CONTEXTS) config->num_contexts = team->contexts_wanted;
    return 0;
}

// Rank of world PE `pe` in the group, or -1.
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
