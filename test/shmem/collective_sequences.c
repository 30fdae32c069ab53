// SPDX-License-Identifier: BSD-3-Clause
// Random sequences of collectives, of mixed kinds, sizes and roots, on one team and on several that overlap, back to back
// without any synchronisation by the program: every result is the serial one. The one source buffer is overwritten as soon
// as a call returns; each call of a batch has a result buffer of its own, made ready before the batch.
// ways: 2:2:tcp 6:2:all 8:2:tcp 3:3:tcp 9:3:tcp 12:3:all 4:4:tcp 12:4:all 16:4:tcp 5:3:tcp
#include "teams.h"

#define BATCH 24
#define COUNT_MAX 700

enum kind {
    BROADCAST,
    FCOLLECT,
    COLLECT,
    ALLTOALL,
    ALLTOALLS,
    SUM,
    SUM_IN_PLACE,
    MAX,
    INSCAN,
    EXSCAN_IN_PLACE,
    SYNC,
    KINDS
};

struct call {
    enum kind kind;
    const struct test_team *team;
    size_t count;
    int root;
    uint64_t number; // of the call in the whole run
    long *dest;
};

static long *results, *source;

static long operand(const struct call *call, int rank, size_t i) {
    return (long)(call->number * 7919 % 10007) + rank * 1009L + (long)i * 3;
}

static bool is_in_place(enum kind kind) {
    return kind == SUM_IN_PLACE || kind == EXSCAN_IN_PLACE;
}

static size_t share(const struct call *call, int rank) {
    return call->count - call->count * (size_t)(rank % 3) / 4;
}

static size_t result_elements(size_t count) {
    return 2 * count * (size_t)pes + 1;
}

// Elements of the source that this member offers.
static size_t source_elements(const struct call *call) {
    if (call->kind == ALLTOALL || call->kind == ALLTOALLS) return call->count * (size_t)call->team->size;
    return call->kind == COLLECT ? share(call, call->team->rank) : call->count;
}

static int perform(const struct call *call) {
    shmem_team_t team = call->team->team;
    switch (call->kind) {
    case BROADCAST: return shmem_long_broadcast(team, call->dest, source, call->count, call->root);
    case FCOLLECT: return shmem_long_fcollect(team, call->dest, source, call->count);
    case COLLECT: return shmem_long_collect(team, call->dest, source, share(call, call->team->rank));
    case ALLTOALL: return shmem_long_alltoall(team, call->dest, source, call->count);
    case ALLTOALLS: return shmem_long_alltoalls(team, call->dest, source, 2, 1, call->count);
    case SUM: return shmem_long_sum_reduce(team, call->dest, source, call->count);
    case SUM_IN_PLACE: return shmem_long_sum_reduce(team, call->dest, call->dest, call->count);
    case MAX: return shmem_long_max_reduce(team, call->dest, source, call->count);
    case INSCAN: return shmem_long_sum_inscan(team, call->dest, source, call->count);
    case EXSCAN_IN_PLACE: return shmem_long_sum_exscan(team, call->dest, call->dest, call->count);
    default: return shmem_team_sync(team);
    }
}

static void run(const struct call *call) {
    for (size_t i = 0; i < source_elements(call); i++) source[i] = operand(call, call->team->rank, i);
    REQUIRE(perform(call) == 0, "collective %d failed", call->kind);
    memset(source, 0x5A, source_elements(call) * sizeof *source);
}

static long sum_of_ranks(const struct call *call, int members, size_t i) {
    long sum = 0;
    for (int k = 0; k < members; k++) sum += operand(call, k, i);
    return sum;
}

static void require_element(const struct call *call, size_t at, long expected) {
    REQUIRE(call->dest[at] == expected,
            "call %llu, kind %d, %zu elements, team %s, root %d: element %zu is %ld, not %ld",
            (unsigned long long)call->number, call->kind, call->count, call->team->name, call->root, at, call->dest[at],
            expected);
}

static void require_blocks(const struct call *call) {
    size_t at = 0, mine = (size_t)call->team->rank * call->count;
    for (int k = 0; k < call->team->size; k++) {
        size_t block = call->kind == COLLECT ? share(call, k) : call->count;
        for (size_t i = 0; i < block; i++, at++) {
            if (call->kind == ALLTOALL) require_element(call, at, operand(call, k, mine + i));
            else if (call->kind == ALLTOALLS) require_element(call, 2 * at, operand(call, k, mine + i));
            else require_element(call, at, operand(call, k, i));
        }
    }
}

static void require_result(const struct call *call) {
    int rank = call->team->rank, size = call->team->size;
    if (call->kind >= FCOLLECT && call->kind <= ALLTOALLS) require_blocks(call);
    for (size_t i = 0; i < call->count; i++) switch (call->kind) {
        case BROADCAST: require_element(call, i, operand(call, call->root, i)); break;
        case SUM:
        case SUM_IN_PLACE: require_element(call, i, sum_of_ranks(call, size, i)); break;
        case MAX: require_element(call, i, operand(call, size - 1, i)); break;
        case INSCAN: require_element(call, i, sum_of_ranks(call, rank + 1, i)); break;
        case EXSCAN_IN_PLACE: require_element(call, i, sum_of_ranks(call, rank, i)); break;
        default: break;
        }
}

static void play_batch(const struct test_team *teams, size_t team_count, size_t count_max, uint64_t *seed) {
    static uint64_t number;
    struct call calls[BATCH];
    for (int i = 0; i < BATCH; i++) {
        struct call *call = &calls[i];
        *call = (struct call){.kind = (enum kind)test_below(seed, KINDS),
                              .team = &teams[test_below(seed, team_count)],
                              .count = test_below(seed, count_max),
                              .number = ++number,
                              .dest = results + (size_t)i * result_elements(COUNT_MAX)};
        size_t root = test_below(seed, 1000);
        if (call->team->team == SHMEM_TEAM_INVALID) continue;
        call->root = (int)(root % (size_t)call->team->size);
        for (size_t k = 0; k < call->count && is_in_place(call->kind); k++)
            call->dest[k] = operand(call, call->team->rank, k);
    }
    shmem_barrier_all();
    for (int i = 0; i < BATCH; i++)
        if (calls[i].team->team != SHMEM_TEAM_INVALID) run(&calls[i]);
    shmem_barrier_all();
    for (int i = 0; i < BATCH; i++)
        if (calls[i].team->team != SHMEM_TEAM_INVALID) require_result(&calls[i]);
}

int main(void) {
    test_begin();
    results = test_malloc(BATCH * result_elements(COUNT_MAX) * sizeof *results);
    source = test_malloc(result_elements(COUNT_MAX) * sizeof *source);
    struct test_team teams[TEST_TEAMS_MAX];
    int team_count = test_teams(teams);
    uint64_t seed = 20240607;
    int batches = test_rounds(400);
    for (int i = 0; i < batches && test_time_left(); i++)
        play_batch(&teams[i % 2 ? 0 : 3], 1, 8, &seed); // world or reversed, small
    for (int i = 0; i < batches && test_time_left(); i++) play_batch(teams, (size_t)team_count, 8, &seed);
    for (int i = 0; i < batches && test_time_left(); i++)
        play_batch(teams, (size_t)team_count, i % 4 ? 100 : COUNT_MAX, &seed);
    test_teams_end(teams, team_count);
    return test_end();
}
