// SPDX-License-Identifier: BSD-3-Clause
// Makes the reductions with which threads end their parts of a region, if they are of floating-point numbers or of several
// variables. The compiler makes such a reduction a section between GOMP_atomic_start and GOMP_atomic_end, so the threads would
// perform it one after the other. Here the values go up the tree of near_sum.c, by the same protocol: a thread sends a partial
// result to the thread above it, which takes it in time or leaves it to the thread. The word of the place is stored last, after
// the rest of the partial result, and these stores go to one memory, so the rest has arrived when the word has.
//
// The compiler makes other reductions of one variable, such as the sum of a float or the maximum of an int, a loop with a
// compare-swap. Such a reduction is made in the same way (KIND_BY_SWAP).
//
// The assembler of these machines (src/machine/sarc/assembler) finds such sections and loops at the ends of functions and calls
// skerry_omp_reduce_last instead. A section with one variable can also be an atomic construct of the program, for whose result
// another thread waits. So the limits of time of near_sum.c hold here too. Operations on a variable are made in another order
// than by a lock, where the order is arbitrary as well.
#include "near_reduction.h"

#if OMP_HAS_SUMS

void GOMP_atomic_start(void);
void GOMP_atomic_end(void);

// Called by the program's code, as the last action of a function. The value of each variable is in an integer or in a
// floating-point register, which its kind tells.
void skerry_omp_reduce_last(uint32_t *word, uint32_t *word_1, uint32_t *word_2, struct omp_sum *sum, uint32_t kinds,
                            uint32_t u_0, uint32_t u_1, uint32_t u_2, double d_0, double d_1, double d_2);

SKERRY_COLD bool skerry_omp_place_partials(struct omp_team *team, const struct skerry_tree_worker *workers) {
    uint8_t below[SKERRY_WORKERS_MAX] = {0};
    for (uint32_t i = 1; i < team->threads; i++) below[omp_sum_above(i)]++;
    for (uint32_t i = 0; i < team->threads; i++) {
        const uint32_t releases = skerry_omp_place_releases ? omp_releases(team->threads, i) : 0;
        const uint32_t words = (releases + OMP_RELEASES - 1) / OMP_RELEASES * OMP_RELEASES;
        struct omp_reductions *reductions = skerry_memory_take_near(
            sizeof *reductions + below[i] * sizeof reductions->below[0] + words * sizeof reductions->releases[0],
            _Alignof(struct omp_reductions), workers[i].number);
        team->members[i]->near.sum.reductions = reductions;
        if (reductions) {
            reductions->releases = (uint32_t **)(void *)&reductions->below[below[i]];
            reductions->releases_end = reductions->releases + words;
            continue;
        }
        while (i-- > 0) {
            skerry_memory_give(team->members[i]->near.sum.reductions);
            team->members[i]->near.sum.reductions = NULL;
        }
        return false;
    }
    if (skerry_omp_place_releases) skerry_omp_place_releases(team);
    return true;
}

// True if a is the maximum, or the minimum, of a and b. If one of them is not a number, it is the other one, as with the
// processor's instructions, which the compiler uses for reductions.
#define IS_MORE(a, b) ((a) > (b) || (b) != (b))
#define IS_LESS(a, b) ((a) < (b) || (b) != (b))

static void combine_other(uint32_t kind, union omp_partial_value *to, const union omp_partial_value *from) {
    switch (kind) {
    case KIND_MULTIPLY: to->u *= from->u; break;
    case KIND_AND: to->u &= from->u; break;
    case KIND_OR: to->u |= from->u; break;
    case KIND_XOR: to->u ^= from->u; break;
    case KIND_MIN: to->u = (int32_t)to->u <= (int32_t)from->u ? to->u : from->u; break;
    case KIND_MAX_UNSIGNED: to->u = to->u >= from->u ? to->u : from->u; break;
    case KIND_MIN_UNSIGNED: to->u = to->u <= from->u ? to->u : from->u; break;
    case KIND_MULTIPLY_FLOAT: to->f *= from->f; break;
    case KIND_MAX_FLOAT: to->f = IS_MORE(from->f, to->f) ? from->f : to->f; break;
    case KIND_MIN_FLOAT: to->f = IS_LESS(from->f, to->f) ? from->f : to->f; break;
    case KIND_MULTIPLY_DOUBLE: to->d *= from->d; break;
    case KIND_MIN_DOUBLE: to->d = IS_LESS(from->d, to->d) ? from->d : to->d; break;
    default: break;
    }
}

// Combines a value with another one.
SKERRY_ALWAYS_INLINE void combine_one(uint32_t kind, union omp_partial_value *to, const union omp_partial_value *from) {
    // The usual ones first: a switch over all takes longer.
    if (kind == KIND_ADD_DOUBLE) to->d += from->d;
    else if (kind == KIND_ADD_FLOAT) to->f += from->f;
    else if (kind == KIND_MAX_DOUBLE) to->d = IS_MORE(from->d, to->d) ? from->d : to->d;
    else if (kind == KIND_ADD) to->u += from->u;
    else if (kind == KIND_MAX) to->u = (int32_t)to->u >= (int32_t)from->u ? to->u : from->u;
    else combine_other(kind, to, from);
}

SKERRY_ALWAYS_INLINE void combine(uint32_t kinds, struct omp_partial *to, const struct omp_partial *from) {
    union omp_partial_value *value = to->values;
    const union omp_partial_value *other = from->values;
    do combine_one(kinds & KIND_OPERATION, value++, other++);
    while (kinds >>= 8);
}

// Performs an operation while other threads change the variable by compare-swap.
static SKERRY_COLD void perform_by_swap(uint32_t kind, uint32_t *word, const union omp_partial_value *value) {
    union omp_partial_value result;
    uint32_t before = __atomic_load_n(word, __ATOMIC_RELAXED);
    do {
        result.u = before;
        combine_one(kind, &result, value);
    } while (!__atomic_compare_exchange_n(word, &before, result.u, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static void perform_one(uint32_t kind, uint32_t *word, const union omp_partial_value *value) {
    union omp_partial_value result;
    if (kind >= KIND_DOUBLE) {
        result.d = *(double *)(void *)word;
        combine_one(kind, &result, value);
        *(double *)(void *)word = result.d;
    } else {
        result.u = *word;
        combine_one(kind, &result, value);
        *word = result.u;
    }
}

SKERRY_ALWAYS_INLINE uint32_t *variable(uint32_t *word) {
    return (uint32_t *)((uint32_t)word & ~OMP_ADDITION_IS_PARTIAL);
}

static void perform(uint32_t *word, uint32_t kinds, const struct omp_partial *partial) {
    perform_one(kinds & KIND_OPERATION, variable(word), &partial->values[0]);
    for (uint32_t i = 1; kinds >>= 8; i++)
        perform_one(kinds & KIND_OPERATION, partial->words[i - 1], &partial->values[i]);
}

void skerry_omp_reduce(uint32_t *word, uint32_t kinds, const struct omp_partial *partial) {
    if (kinds & KIND_BY_SWAP) { // then it is the only operation
        perform_by_swap(kinds & KIND_OPERATION, variable(word), &partial->values[0]);
        return;
    }
    GOMP_atomic_start();
    perform(word, kinds, partial);
    GOMP_atomic_end();
}

// Returns true if a partial result is of the same variables as the thread's own. The first variable and the operations are the
// same ones.
SKERRY_ALWAYS_INLINE bool is_alike(const struct omp_partial *partial, const struct omp_partial *own, uint32_t kinds) {
    return partial->words[0] == own->words[0] && (kinds <= 0xffff || partial->words[1] == own->words[1]);
}

// A thread waits for the partial results of others as long as the team would need to perform the operations without the tree,
// one after the other. So if a result does not come, because the program waits for an atomic construct or the work is uneven,
// the wait at most doubles the time. In cycles, measured: the section of a thread, and, divided by the number of threads, the
// loop of a thread, whose compare-swap fails the more often the more threads there are.
#define CYCLES_OF_SECTION 160
#define CYCLES_OF_SWAP 10
#define CYCLES_OF_POLL 12

uint32_t skerry_omp_reduction_polls(uint32_t kinds, uint32_t threads) {
    return threads * (kinds & KIND_BY_SWAP ? CYCLES_OF_SWAP * threads : CYCLES_OF_SECTION) / CYCLES_OF_POLL;
}

// Waits longer for a partial result that has not come within sum->polls polls. Returns its word, or NULL.
static SKERRY_COLD uint32_t *await_longer(const struct omp_near *near, struct omp_addition *place, uint32_t kinds) {
    uint32_t *word = NULL;
    for (uint32_t polls = skerry_omp_reduction_polls(kinds, near->threads); polls > 0 && !word && !omp_is_hurried(near);
         polls--)
        word = __atomic_exchange_n(&place->word, NULL, __ATOMIC_ACQUIRE);
    return word;
}

// Takes the partial results of the threads below, and combines them with the thread's own. If they do not all arrive in time,
// performs the operations of those that have arrived and of the thread's own, and returns false. `is_one` is true if there is only
// one operation, and `is_sum` if this is the sum of a double, which is the most frequent one.
SKERRY_ALWAYS_INLINE bool take_kind(struct omp_sum *sum, const struct omp_team *team, uint32_t kinds, bool is_one) {
    uint32_t polls = sum->polls;
    uint32_t *const word = sum->word, *other;
    struct omp_addition *place = sum->places;
    const struct omp_partial *partial = sum->reductions->below;
    union omp_partial_value value = sum->reductions->own.values[0];
    for (const struct omp_addition *const end = place + sum->below; place < end; place++, partial++) {
        while (OMP_UNLIKELY(!(other = __atomic_exchange_n(&place->word, NULL, __ATOMIC_ACQUIRE))) && --polls) {
        }
        if (OMP_UNLIKELY(!other)) {
            other = await_longer(omp_near_of(sum), place, kinds);
            polls = 1;
        }
        const union omp_partial_value partial_value = partial->values[0]; // loaded early, for the tests take a while
        if (OMP_LIKELY(other == word) && OMP_LIKELY(place->value == kinds) &&
            (is_one || OMP_LIKELY(is_alike(partial, &sum->reductions->own, kinds)))) {
            if (is_one) combine_one(kinds & KIND_OPERATION, &value, &partial_value);
            else combine(kinds, &sum->reductions->own, partial);
            continue;
        }
        if (is_one) sum->reductions->own.values[0] = value;
        const uint32_t i = (uint32_t)(place - sum->places);
        if (other) skerry_omp_add_other(sum, i, other);
        skerry_omp_reduce(word, kinds, &sum->reductions->own);
        skerry_omp_add_others(sum, team, (other ? 2u << i : 1u << i) - 1);
        return false;
    }
    if (is_one) sum->reductions->own.values[0] = value;
    sum->skips = 0;
    return true;
}

bool skerry_omp_take_partials(struct omp_sum *sum, const struct omp_team *team) {
    const uint32_t kinds = sum->value;
    if (OMP_LIKELY(kinds == KIND_ADD_DOUBLE)) return take_kind(sum, team, KIND_ADD_DOUBLE, true);
    if (OMP_LIKELY(kinds <= 0xff)) return take_kind(sum, team, kinds, true);
    return take_kind(sum, team, kinds, false);
}

// As in near_sum.c, but the thread waits longer: twice as long as the thread above, which possibly comes later than this one.
static SKERRY_COLD bool withdraw(struct omp_thread *self, struct omp_team *team) {
    struct omp_near *const near = &self->state.member->near;
    struct omp_sum *const sum = &near->sum;
    for (uint32_t polls = 2 * skerry_omp_reduction_polls(sum->value, near->threads); polls > 0 && !omp_is_hurried(near);
         polls--)
        if (omp_has_descriptor(self)) return true;
    if (!__atomic_exchange_n(&sum->to->word, NULL, __ATOMIC_ACQUIRE)) return true;
    skerry_omp_reduce(sum->word, sum->value, &sum->reductions->own);
    skerry_omp_report_own(sum, team);
    return false;
}

// Performs the operations of all threads of the team, which the master has taken. All threads have ended their parts of the region, or
// wait until this function has returned. So if no thread outside the team runs the program's code, and none runs a task, no
// other thread changes the variables, and the lock is not needed.
void skerry_omp_perform_all(struct omp_sum *sum, const struct omp_team *team) {
    const struct omp_near *const near = omp_near_of(sum);
    const uint32_t kinds = sum->value;
    if (OMP_LIKELY(team->level == 1) && OMP_LIKELY(!__atomic_load_n(&near->tasks_made, __ATOMIC_RELAXED))) {
        if (OMP_LIKELY(kinds == KIND_ADD_DOUBLE)) {
            double *const word = (double *)(void *)variable(sum->word);
            *word += sum->reductions->own.values[0].d;
        } else {
            perform(sum->word, kinds, &sum->reductions->own);
        }
    } else {
        skerry_omp_reduce(sum->word, kinds, &sum->reductions->own);
    }
}

// As in near_sum.c.
static bool collect(struct omp_thread *self, struct omp_team *team) {
    (void)self;
    struct omp_sum *const sum = &omp_member(team, 0)->near.sum;
    if (OMP_UNLIKELY(!skerry_omp_take_partials(sum, team))) return false;
    skerry_omp_perform_all(sum, team);
    skerry_event_counter_add(team->join_counter, team->threads - 1);
    return true;
}

// Sends the thread's partial result, and leaves the rest to withdraw(). The caller has completed the thread's stores.
SKERRY_ALWAYS_INLINE void send(struct omp_thread *self, struct omp_sum *sum) {
    omp_send_partial(sum);
    self->joined = NULL;
    self->finish_sum = withdraw;
}

void skerry_omp_reduce_last(uint32_t *word, uint32_t *word_1, uint32_t *word_2, struct omp_sum *sum, uint32_t kinds,
                            uint32_t u_0, uint32_t u_1, uint32_t u_2, double d_0, double d_1, double d_2) {
    struct omp_thread *const self = skerry_omp_self;
    uint32_t *const marked = omp_set_partial(sum, kinds, word, word_1, word_2, u_0, u_1, u_2, d_0, d_1, d_2);
    // As in skerry_omp_add_last: the task is not the implicit one, or the thread's end is not awaited.
    if (OMP_UNLIKELY(self->state.task != sum->task)) return skerry_omp_reduce(marked, kinds, &sum->reductions->own);
    sum->region++;
    if (OMP_UNLIKELY(omp_sum_is_skipped(sum)) || OMP_UNLIKELY(sum->to && !self->joined))
        return skerry_omp_reduce(marked, kinds, &sum->reductions->own);
    if (!sum->to) {
        self->finish_sum = collect;
        return;
    }
    skerry_complete_stores(); // before the wait, in which nothing is stored to other memories
    if (sum->below && OMP_UNLIKELY(!skerry_omp_take_partials(sum, self->state.team))) return;
    send(self, sum);
}

#endif
