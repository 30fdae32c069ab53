// SPDX-License-Identifier: BSD-3-Clause
// Creates teams by splitting, and destroys them. Every PE keeps its own table of teams. The members of the parent (the
// team that is split) agree on a number for the new team that is free in all their tables. The number is the team's
// index in the table, and selects its area: the words in every member's memory by which the members synchronise.
#include "collective.h"
#include "combine.h"
#include "team_internal.h"

#define FIRST_FREE_NUMBER 3 // 0 to 2: the team of the world, the shared team, skerry_team_active_world
#define MASK_WORDS SKERRY_TEAM_MASKS

static struct skerry_team teams[SKERRY_TEAMS_MAX];
static uint64_t free_numbers[MASK_WORDS];
// Used only on machines with channels (../primitive/channel.h). own_scratch has the operands of agree_on_words.
// team_rounds has the words of each team's barrier.
static uint64_t own_scratch[2 * MASK_WORDS];
static skerry_word team_rounds[SKERRY_TEAMS_MAX][SKERRY_PARTNERS_MAX];

SKERRY_COMBINE(word, uint64_t, and)

static int teams_that_fit(void) {
    if (SKERRY_CHANNELS) return SKERRY_TEAMS_MAX;
    size_t bytes;
    skerry_system_memory(&bytes);
    size_t fit = (bytes - SKERRY_TAIL_BYTES) / skerry_team_area_bytes();
    return fit < SKERRY_TEAMS_MAX ? (int)fit : SKERRY_TEAMS_MAX;
}

// Sets this PE's synchronisation words of team `number` to zero. Only clears the words that a team of `size` members
// uses. No other PE is allowed to use these words during the call.
static void clear_words(int number, int size) {
    if (SKERRY_CHANNELS) {
        for (int i = 0; i < SKERRY_PARTNERS_MAX; i++) team_rounds[number][i] = 0;
        return;
    }
    struct skerry_area *area = skerry_area_of(number);
    struct skerry_cell *cells = area->cells;
    size_t half = (size_t)(unsigned)skerry_pe_count();
    skerry_word *heard = (skerry_word *)(void *)&cells[2 * half];
#if SKERRY_FAR_PES
    if (skerry_node_count() > 1) skerry_node_area_clear(area);
#endif
    area->arrived.value = area->released.value = area->fetched.value = area->taken.value = 0;
    for (int i = 0; i < SKERRY_ROUNDS_MAX; i++) area->rounds[i].value = 0;
    for (int i = 0; i < SKERRY_BROADCAST_CELLS; i++) area->broadcast[i].sequence = 0;
    for (size_t i = 0; i < (size_t)(unsigned)size; i++) {
        heard[i] = 0;
        cells[i].sequence = cells[half + i].sequence = 0;
    }
}

void skerry_split_teams_begin(void) {
    for (int i = 0; i < MASK_WORDS; i++) free_numbers[i] = 0;
    for (int number = FIRST_FREE_NUMBER; number < teams_that_fit(); number++)
        free_numbers[number / 64] |= UINT64_C(1) << number % 64;
}

void skerry_split_teams_end(void) {
    // Only a team whose number is not free can be live. The memory of the others stays untouched: to touch all of it takes
    // 90 page faults, which were 7 % of the time of a job of 256 PEs that only starts and ends.
    for (int number = FIRST_FREE_NUMBER; number < teams_that_fit(); number++)
        if (!(free_numbers[number / 64] >> number % 64 & 1)) teams[number].live = false;
}

bool skerry_is_team(const struct skerry_team *team) {
    uintptr_t distance = (uintptr_t)team - (uintptr_t)teams;
    if (team == &skerry_team_world || team == &skerry_team_shared) return true;
    return distance < sizeof teams && distance % sizeof teams[0] == 0;
}

// Replaces each of the `count` words by the bitwise AND of that word in all members of the parent. The source and the
// result of the reduction must be symmetric. So they are in the field `scratch` of the parent's area. On machines with
// channels (../primitive/channel.h) a PE is in one reduction at a time, so all parents use the same array, own_scratch.
static void agree_on_words(struct skerry_group *parent, uint64_t *words, size_t count) {
    uint64_t *source = parent->area ? parent->area->scratch : own_scratch;
    uint64_t *result = source + MASK_WORDS;
    for (size_t i = 0; i < count; i++) source[i] = words[i];
    skerry_reduce(parent, skerry_global(result, skerry_my_pe()), skerry_global(source, skerry_my_pe()), count,
                  sizeof(uint64_t), combine_word_and);
    for (size_t i = 0; i < count; i++) words[i] = __atomic_load_n(&result[i], __ATOMIC_RELAXED);
    if (!SKERRY_CHANNELS) skerry_barrier(parent); // no member writes the scratch again before all members have read it
}

// Returns the first free number at or after `from`; after the highest number the search continues at 0. Returns -1 if
// no number is free.
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
    if (SKERRY_CHANNELS) free_numbers[number / 64] |= UINT64_C(1) << number % 64;
    else __atomic_fetch_or(&free_numbers[number / 64], UINT64_C(1) << number % 64, __ATOMIC_ACQ_REL);
}

// Finds a number that is free in every member of the parent, claims it in every member, and returns it. Returns -1 if
// there is no such number.
static int agree_on_number(struct skerry_group *parent, int parent_number, int members) {
    // The first number depends on the parent's number. So two splits that claimed each other's number do not both
    // search again from the same number.
    int from = parent_number * 37 % SKERRY_TEAMS_MAX;
    for (;; from = (from + 11) % SKERRY_TEAMS_MAX) {
        uint64_t masks[MASK_WORDS];
        for (int i = 0; i < MASK_WORDS; i++) masks[i] = __atomic_load_n(&free_numbers[i], __ATOMIC_ACQUIRE);
        agree_on_words(parent, masks, MASK_WORDS);
        int number = free_number(masks, from);
        if (number < 0) return -1;
        // The claim fails in a member if another thread of that member, which splits another team, has claimed the
        // number first. All members of the parent then search again from another number.
        bool mine = claim(number);
        if (mine) clear_words(number, members);
        uint64_t all = mine ? ~UINT64_C(0) : 0;
        agree_on_words(parent, &all, 1);
        if (all) return number;
        if (mine) give_back(number);
    }
}

// Finds and claims a number for the new team, on machines with channels (../primitive/channel.h). `members` is the new
// team's group, or NULL if this PE is not a member. Returns the number, 0 if this PE is not a member, or -1 if no
// number is free.
// - A PE has one thread on these machines. So a number that is free in all members stays free during the call.
// - Only the members need the number. The other members of the parent only learn if the search succeeded.
static int agree_among_members(struct skerry_group *parent, struct skerry_group *members) {
    int number = 0;
    if (members) {
        uint64_t masks[MASK_WORDS];
        for (int i = 0; i < MASK_WORDS; i++) masks[i] = free_numbers[i];
        agree_on_words(members, masks, MASK_WORDS);
        number = free_number(masks, 0);
        if (number >= 0) clear_words(number, members->size);
    }
    uint64_t all = number >= 0 ? ~UINT64_C(0) : 0;
    agree_on_words(parent, &all, 1);
    if (!all) return -1;
    if (members) free_numbers[number / 64] &= ~(UINT64_C(1) << number % 64);
    return number;
}

static bool config_is_valid(const shmem_team_config_t *config, long mask) {
    if (mask & ~SHMEM_TEAM_NUM_CONTEXTS) return false;
    return !(mask & SHMEM_TEAM_NUM_CONTEXTS) || (config && config->num_contexts >= 0);
}

SKERRY_DEFINE(int, shmem_team_split_strided,
              (shmem_team_t parent_team, int start, int stride, int size, const shmem_team_config_t *config,
               long config_mask, shmem_team_t *new_team)) {
    SKERRY_WHEN_CHECKING(skerry_check_result(__func__ + 1, "new_team", new_team))
    SKERRY_WHEN_CHECKING(skerry_check_config(__func__ + 1, "config", config, config_mask))
    *new_team = SHMEM_TEAM_INVALID;
    if (parent_team == SHMEM_TEAM_INVALID) return -1;
    struct skerry_group *parent = skerry_group_of(__func__ + 1, parent_team);
    SKERRY_WHEN_CHECKING(skerry_check_collective(
        __func__ + 1, parent,
        &(struct skerry_collective_call){.agreed = {(uint64_t)start, (uint64_t)stride, (uint64_t)size}}))
    long last = start + (long)(size - 1) * stride;
    bool possible = start >= 0 && start < parent->size && size >= 1 && last >= 0 && last < parent->size &&
                    (stride != 0 || size == 1) && config_is_valid(config, config_mask);
    if (!possible) return -1; // the arguments are the same in every member, so all members return here
    int distance = parent->rank - start;
    int rank = size == 1 ? (distance == 0 ? 0 : -1) : distance % stride == 0 ? distance / stride : -1;
    bool member = rank >= 0 && rank < size;
    int number;
    if (SKERRY_CHANNELS) {
        struct skerry_group members = {
            .start = skerry_member(parent, start), .stride = stride * parent->stride, .size = size, .rank = rank};
        number = agree_among_members(parent, member ? &members : 0);
    } else {
        number = agree_on_number(parent, parent_team->number, size);
    }
    if (number < 0) return -1;
    if (!member) {
        if (!SKERRY_CHANNELS) give_back(number);
        return 0;
    }
    teams[number] = (struct skerry_team){0};
    skerry_team_form(&teams[number], number, skerry_member(parent, start), stride * parent->stride, size, rank,
                     team_rounds[number]);
    if (config_mask & SHMEM_TEAM_NUM_CONTEXTS) teams[number].contexts_wanted = config->num_contexts;
    *new_team = &teams[number];
    return 0;
}

// Creates a team of each row, or of each column, of the parent by a strided split. Stores the team of this PE in *mine.
// All members of the parent take part in every split, because they agree on the new team's number. Returns non-zero if
// a split failed.
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
    SKERRY_WHEN_CHECKING(skerry_check_result(__func__ + 1, "xaxis_team", xaxis_team))
    SKERRY_WHEN_CHECKING(skerry_check_result(__func__ + 1, "yaxis_team", yaxis_team))
    SKERRY_WHEN_CHECKING(skerry_check_config(__func__ + 1, "xaxis_config", xaxis_config, xaxis_mask))
    SKERRY_WHEN_CHECKING(skerry_check_config(__func__ + 1, "yaxis_config", yaxis_config, yaxis_mask))
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
