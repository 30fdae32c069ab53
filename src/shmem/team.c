// SPDX-License-Identifier: BSD-3-Clause
// Teams. Every PE keeps its own table; a team's number, agreed on by its parent when it is split off, is its place in the
// table and names its area in every member's system memory.
#include "team_internal.h"

#include "collective.h"
#include "combine.h"

#define FIRST_FREE_NUMBER 3 // world, shared, and the world of active sets come before
#define MASK_WORDS SKERRY_TEAM_MASKS

struct skerry_team skerry_team_world;
struct skerry_team skerry_team_shared;
struct skerry_team skerry_team_active_world;

static struct skerry_team teams[SKERRY_TEAMS_MAX];
static uint64_t free_numbers[MASK_WORDS];

SKERRY_COMBINE(word, uint64_t, and)

static struct skerry_area *area_of(int number) {
    size_t bytes;
    char *memory = skerry_system_memory(&bytes);
    return (struct skerry_area *)(void *)(memory + (size_t)(unsigned)number * skerry_area_bytes(skerry_pe_count()));
}

static int teams_that_fit(void) {
    size_t bytes;
    skerry_system_memory(&bytes);
    size_t fit = (bytes - SKERRY_TAIL_BYTES) / skerry_area_bytes(skerry_pe_count());
    return fit < SKERRY_TEAMS_MAX ? (int)fit : SKERRY_TEAMS_MAX;
}

// Makes the words of this PE's area zero, as far as a team of `size` members uses them. Nobody else may be using it.
static void clear_area(struct skerry_area *area, int size) {
    struct skerry_cell *cells = area->cells;
    size_t half = (size_t)(unsigned)skerry_pe_count();
    skerry_word *heard = (skerry_word *)(void *)&cells[2 * half];
    area->arrived.value = area->released.value = area->fetched.value = area->taken.value = 0;
    for (int i = 0; i < SKERRY_ROUNDS_MAX; i++) area->rounds[i].value = 0;
    for (int i = 0; i < SKERRY_BROADCAST_CELLS; i++) area->broadcast[i].sequence = 0;
    for (size_t i = 0; i < (size_t)(unsigned)size; i++) {
        heard[i] = 0;
        cells[i].sequence = cells[half + i].sequence = 0;
    }
}

static void form(struct skerry_team *team, int number, int start, int stride, int size, int rank) {
    *team = (struct skerry_team){
        .group = {.start = start, .stride = stride, .size = size, .rank = rank, .area = area_of(number)},
        .number = number,
        .live = true,
    };
}

static void form_predefined(struct skerry_team *team, int number) {
    // A later initialisation goes on where the last one ended: the words of the area never shrink.
    if (!team->group.area) form(team, number, 0, 1, skerry_pe_count(), skerry_my_pe());
    team->live = true;
}

void skerry_teams_begin(void) {
    form_predefined(&skerry_team_world, 0);
    form_predefined(&skerry_team_shared, 1);
    form_predefined(&skerry_team_active_world, 2);
    for (int i = 0; i < MASK_WORDS; i++) free_numbers[i] = 0;
    for (int number = FIRST_FREE_NUMBER; number < teams_that_fit(); number++)
        free_numbers[number / 64] |= UINT64_C(1) << number % 64;
}

void skerry_teams_end(void) {
    for (int number = FIRST_FREE_NUMBER; number < SKERRY_TEAMS_MAX; number++) teams[number].live = false;
    skerry_team_world.live = skerry_team_shared.live = skerry_team_active_world.live = false;
}

bool skerry_is_team(const struct skerry_team *team) {
    uintptr_t distance = (uintptr_t)team - (uintptr_t)teams;
    if (team == &skerry_team_world || team == &skerry_team_shared) return true;
    return distance < sizeof teams && distance % sizeof teams[0] == 0;
}

struct skerry_group *skerry_group_of(const char *routine, shmem_team_t team) {
    SKERRY_WHEN_CHECKING(skerry_check_is_team(routine, team))
    if (team == SHMEM_TEAM_INVALID) skerry_fail(routine, "team is SHMEM_TEAM_INVALID");
    if (!team->live)
        skerry_fail(routine, skerry_library.initializations > 0 ? "team was destroyed" : skerry_not_running());
    return &team->group;
}

struct skerry_group *skerry_active_set(const char *routine, struct skerry_group *storage, int start, int log_stride,
                                       int size, long *work_array) {
    int pes = skerry_pe_count();
    long last = start + (long)(size - 1) * (1L << (log_stride & 31));
    if (start < 0 || log_stride < 0 || log_stride > 30 || size < 1 || last >= pes)
        skerry_fail_values(routine, "active set of # PEs from PE # with logPE_stride # is not inside the job's # PEs",
                           (long[]){size, start, log_stride, pes}, 4);
    int stride = 1 << log_stride;
    int distance = skerry_my_pe() - start;
    if (distance < 0 || distance % stride || distance / stride >= size)
        skerry_fail_values(routine, "this PE is not in the active set of # PEs from PE # with logPE_stride #",
                           (long[]){size, start, log_stride}, 3);
    SKERRY_WHEN_CHECKING(skerry_check_sync_array(routine, work_array))
    // Threads may be in collectives on different work arrays at once; only one of them can have the world's area.
    if (size == pes && skerry_library.thread_level != SHMEM_THREAD_MULTIPLE) return &skerry_team_active_world.group;
    *storage = (struct skerry_group){
        .start = start, .stride = stride, .size = size, .rank = distance / stride, .work_array = work_array};
    return storage;
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

// -- Split and destroy -------------------------------------------------------------------------------------------------

// Combines `words` words of all members of the parent; both operands lie in its area's scratch.
static void agree_on_words(struct skerry_group *parent, uint64_t *words, size_t count) {
    uint64_t *source = parent->area->scratch;
    uint64_t *result = source + MASK_WORDS;
    for (size_t i = 0; i < count; i++) source[i] = words[i];
    skerry_reduce(parent, skerry_global(result, skerry_my_pe()), skerry_global(source, skerry_my_pe()), count,
                  sizeof(uint64_t), combine_word_and);
    for (size_t i = 0; i < count; i++) words[i] = __atomic_load_n(&result[i], __ATOMIC_RELAXED);
    skerry_barrier(parent); // nobody writes the scratch again before all have read it
}

// The first free number at or after `from`, going round; -1 when there is none.
static int free_number(const uint64_t *words, int from) {
    for (int i = 0; i < SKERRY_TEAMS_MAX; i++) {
        int number = (from + i) % SKERRY_TEAMS_MAX;
        if (words[number / 64] >> number % 64 & 1) return number;
    }
    return -1;
}

static bool claim(int number) {
    uint64_t bit = UINT64_C(1) << number % 64;
    return __atomic_fetch_and(&free_numbers[number / 64], ~bit, __ATOMIC_ACQ_REL) & bit;
}

static void give_back(int number) {
    __atomic_fetch_or(&free_numbers[number / 64], UINT64_C(1) << number % 64, __ATOMIC_ACQ_REL);
}

// A number that is free in every member of the parent, claimed in every member; -1 when there is none. Another thread of
// a member may claim it in between while it splits another team: then all members let go and look again, from another
// place, as do other parents that they met.
static int agree_on_number(struct skerry_group *parent, int parent_number, int members) {
    int from = parent_number * 37 % SKERRY_TEAMS_MAX;
    for (;; from = (from + 11) % SKERRY_TEAMS_MAX) {
        uint64_t masks[MASK_WORDS];
        for (int i = 0; i < MASK_WORDS; i++) masks[i] = __atomic_load_n(&free_numbers[i], __ATOMIC_ACQUIRE);
        agree_on_words(parent, masks, MASK_WORDS);
        int number = free_number(masks, from);
        if (number < 0) return -1;
        bool mine = claim(number);
        if (mine) clear_area(area_of(number), members);
        uint64_t all = mine ? ~UINT64_C(0) : 0;
        agree_on_words(parent, &all, 1);
        if (all) return number;
        if (mine) give_back(number);
    }
}

static bool config_is_valid(const shmem_team_config_t *config, long mask) {
    if (mask & ~SHMEM_TEAM_NUM_CONTEXTS) return false;
    return !(mask & SHMEM_TEAM_NUM_CONTEXTS) || (config && config->num_contexts >= 0);
}

SKERRY_DEFINE(int, shmem_team_split_strided,
              (shmem_team_t parent_team, int start, int stride, int size, const shmem_team_config_t *config,
               long config_mask, shmem_team_t *new_team)) {
    *new_team = SHMEM_TEAM_INVALID;
    if (parent_team == SHMEM_TEAM_INVALID) return -1;
    struct skerry_group *parent = skerry_group_of(__func__ + 1, parent_team);
    SKERRY_WHEN_CHECKING(skerry_check_collective(
        __func__ + 1, parent,
        &(struct skerry_collective_call){.agreed = {(uint64_t)start, (uint64_t)stride, (uint64_t)size}}))
    long last = start + (long)(size - 1) * stride;
    bool possible = start >= 0 && start < parent->size && size >= 1 && last >= 0 && last < parent->size &&
                    (stride != 0 || size == 1) && config_is_valid(config, config_mask);
    if (!possible) return -1; // the arguments are the same in every member, so all return here
    int number = agree_on_number(parent, parent_team->number, size);
    if (number < 0) return -1;
    int distance = parent->rank - start;
    int rank = size == 1 ? (distance == 0 ? 0 : -1) : distance % stride == 0 ? distance / stride : -1;
    if (rank < 0 || rank >= size) {
        give_back(number);
        return 0;
    }
    form(&teams[number], number, skerry_member(parent, start), stride * parent->stride, size, rank);
    if (config_mask & SHMEM_TEAM_NUM_CONTEXTS) teams[number].contexts_wanted = config->num_contexts;
    *new_team = &teams[number];
    return 0;
}

// Each row, then each column, is a strided split of its own; members of other rows take part in choosing the number.
static int split_lines(shmem_team_t parent_team, int lines, int first_step, int stride, int length, int last_length,
                       int whole_lines, const shmem_team_config_t *config, long mask, shmem_team_t *mine) {
    int failed = 0;
    *mine = SHMEM_TEAM_INVALID;
    for (int line = 0; line < lines; line++) {
        shmem_team_t team;
        int size = line < whole_lines ? length : last_length;
        failed |= shmem_team_split_strided(parent_team, line * first_step, stride, size, config, mask, &team);
        if (team != SHMEM_TEAM_INVALID) *mine = team;
    }
    return failed;
}

SKERRY_DEFINE(int, shmem_team_split_2d,
              (shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask,
               shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask,
               shmem_team_t *yaxis_team)) {
    *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
    if (parent_team == SHMEM_TEAM_INVALID) return -1;
    struct skerry_group *parent = skerry_group_of(__func__ + 1, parent_team);
    SKERRY_WHEN_CHECKING(skerry_check_collective(
        __func__ + 1, parent, &(struct skerry_collective_call){.agreed = {(uint64_t)(int64_t)xrange}}))
    if (xrange < 1) return -1;
    int pes = parent->size;
    if (xrange > pes) xrange = pes;
    int rows = (pes + xrange - 1) / xrange;
    int in_last_row = pes - (rows - 1) * xrange;
    int failed =
        split_lines(parent_team, rows, xrange, 1, xrange, in_last_row, rows - 1, xaxis_config, xaxis_mask, xaxis_team);
    if (!failed)
        failed = split_lines(parent_team, xrange, 1, xrange, rows, rows - 1, in_last_row, yaxis_config, yaxis_mask,
                             yaxis_team);
    if (!failed) return 0;
    if (*xaxis_team != SHMEM_TEAM_INVALID) shmem_team_destroy(*xaxis_team);
    if (*yaxis_team != SHMEM_TEAM_INVALID) shmem_team_destroy(*yaxis_team);
    *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
    return -1;
}

SKERRY_DEFINE(void, shmem_team_destroy, (shmem_team_t team)) {
    if (team == SHMEM_TEAM_INVALID) return;
    struct skerry_group *group = skerry_group_of(__func__ + 1, team);
    if (team->number < FIRST_FREE_NUMBER) skerry_fail(__func__ + 1, "a predefined team cannot be destroyed");
    SKERRY_WHEN_CHECKING(skerry_check_quiet(__func__ + 1);
                         skerry_check_collective(__func__ + 1, group, &(struct skerry_collective_call){0}))
    skerry_contexts_of_team_end(team);
    skerry_barrier_own_words(group);
    team->live = false;
    give_back(team->number);
}
