// SPDX-License-Identifier: BSD-3-Clause
// Implements the public barrier and synchronisation routines. shmem_barrier_all and shmem_barrier first complete this
// PE's puts (skerry_complete_puts). On machines where puts are plain stores, skerry_complete_puts does nothing. The
// signals of the barrier are store-releases: a PE that has received a signal also sees the sender's earlier puts.
#include "../primitive/barrier.h"
#include "../primitive/channel.h"
#include "collective.h"
#include "team_internal.h"

static void agree(const char *routine, struct skerry_group *group) {
    SKERRY_WHEN_CHECKING(skerry_check_collective(routine, group, &(struct skerry_collective_call){0}))
    (void)routine;
    (void)group;
}

static inline void barrier_of_world(void) {
    struct skerry_group *world = &skerry_team_world.group;
    if (SKERRY_HARDWARE_BARRIER && world->by_hardware) skerry_hardware_barrier();
    else if (SKERRY_CHANNELS) skerry_barrier_of_partners(world);
    else skerry_barrier(world);
}

#if SKERRY_CHANNELS

// The active set of the last shmem_barrier or shmem_sync: its arguments, its kind of barrier, and the addresses that
// its barrier uses. Programs often use one set many times in a loop. For a call with the same arguments the kind of
// barrier is already known.
static struct {
    _Alignas(8) int start;
    int log_stride, size; // `size` is 0 before the first set
    enum { BY_CHANNELS, BY_WORDS_OF_WORLD, BY_HARDWARE } kind;
    struct skerry_channel_round rounds[SKERRY_PARTNERS_MAX];
} last_set;

static __attribute__((noinline)) void barrier_by_hardware(void) {
    skerry_hardware_barrier();
}

static inline __attribute__((always_inline)) void barrier_of_last_set(void) {
    if (last_set.kind == BY_CHANNELS) skerry_channel_barrier(last_set.rounds);
    else if (last_set.kind == BY_WORDS_OF_WORLD) skerry_barrier_of_partners(&skerry_team_world.group);
    else barrier_by_hardware();
}

static inline bool is_last_set(int start, int log_stride, int size) {
    return ((size ^ last_set.size) | (start ^ last_set.start) | (log_stride ^ last_set.log_stride)) == 0;
}

// Stores an active set in last_set, and executes its barrier. The function is a slow path: the arguments differ from
// those in last_set. The fast path is a barrier of the set in last_set by a PE that has no puts to complete. The fast
// path should save no registers. Therefore the compiler must be able to jump to a slow path instead of calling it. This
// is possible, because the slow paths (sync_of_new_set, barrier_of_new_set and complete_and_barrier) have three
// properties:
// - not inlined,
// - at most four arguments,
// - the last call in their caller.
static __attribute__((noinline)) void sync_of_new_set(int start, int log_stride, int size, const char *routine) {
    struct skerry_group *group = skerry_active_set(routine, 0, start, log_stride, size, 0);
    last_set.kind = !group->rounds ? BY_CHANNELS : group->by_hardware ? BY_HARDWARE : BY_WORDS_OF_WORLD;
    if (last_set.kind == BY_CHANNELS) skerry_channel_plan(last_set.rounds, group);
    last_set.start = start;
    last_set.log_stride = log_stride;
    last_set.size = size;
    barrier_of_last_set();
}

// Executes shmem_barrier for an active set that is not in last_set. The puts are completed before sync_of_new_set
// checks the arguments. This order does no harm, because wrong arguments end the job.
static __attribute__((noinline)) void barrier_of_new_set(int start, int log_stride, int size, const char *routine) {
    skerry_complete_puts();
    sync_of_new_set(start, log_stride, size, routine);
}

static __attribute__((noinline)) void complete_and_barrier(void) {
    skerry_complete_puts();
    barrier_of_last_set();
}

static inline __attribute__((always_inline)) void barrier_of_set(const char *routine, int start, int log_stride,
                                                                 int size, long *work_array) {
    (void)work_array; // the barrier of an active set over channels (../primitive/channel.h) needs no words of its own
    if (!is_last_set(start, log_stride, size)) return barrier_of_new_set(start, log_stride, size, routine);
    if (!skerry_nothing_to_complete()) return complete_and_barrier();
    barrier_of_last_set();
}

static inline __attribute__((always_inline)) void sync_of_set(const char *routine, int start, int log_stride, int size,
                                                              long *work_array) {
    (void)work_array;
    if (!is_last_set(start, log_stride, size)) return sync_of_new_set(start, log_stride, size, routine);
    barrier_of_last_set();
}

#else

static void synchronise_set(const char *routine, int start, int log_stride, int size, long *work_array, bool complete) {
    struct skerry_group storage;
    struct skerry_group *group = skerry_active_set(routine, &storage, start, log_stride, size, work_array);
    if (complete) {
        SKERRY_WHEN_CHECKING(skerry_check_quiet(routine))
    }
    agree(routine, group);
    if (complete) skerry_complete_puts();
    skerry_barrier(group);
}

static void barrier_of_set(const char *routine, int start, int log_stride, int size, long *work_array) {
    synchronise_set(routine, start, log_stride, size, work_array, true);
}

static void sync_of_set(const char *routine, int start, int log_stride, int size, long *work_array) {
    synchronise_set(routine, start, log_stride, size, work_array, false);
}

#endif

// Returns the group of a team, or ends the job with an error message if the team is not valid. Machines without checks
// (SKERRY_CAN_CHECK is 0) only test that the team is not NULL and that its field `live` is true.
static inline struct skerry_group *group_of(const char *routine, shmem_team_t team) {
    if (!SKERRY_CAN_CHECK && team && team->live) return &team->group;
    return skerry_group_of(routine, team);
}

SKERRY_DEFINE(void, shmem_barrier_all, (void)) {
    SKERRY_WHEN_CHECKING(skerry_check_quiet(__func__ + 1))
    agree(__func__ + 1, &skerry_team_world.group);
    skerry_complete_puts();
    barrier_of_world();
}

SKERRY_DEFINE(void, shmem_sync_all, (void)) {
    agree(__func__ + 1, &skerry_team_world.group);
    barrier_of_world();
}

SKERRY_DEFINE(int, shmem_team_sync, (shmem_team_t team)) {
    struct skerry_group *group = group_of(__func__ + 1, team);
    agree(__func__ + 1, group);
    skerry_barrier(group);
    return 0;
}

SKERRY_DEFINE(void, shmem_barrier, (int PE_start, int logPE_stride, int PE_size, long *pSync)) {
    barrier_of_set(__func__ + 1, PE_start, logPE_stride, PE_size, pSync);
}

SKERRY_DEFINE(void, shmem_sync, (int PE_start, int logPE_stride, int PE_size, long *pSync)) {
    sync_of_set(__func__ + 1, PE_start, logPE_stride, PE_size, pSync);
}
