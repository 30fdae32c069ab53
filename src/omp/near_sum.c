// SPDX-License-Identifier: BSD-3-Clause
// Makes the additions with which threads end their parts of a region, on machines with counters in hardware. The compiler
// makes a reduction of an integer one atomic addition of each thread to the same variable. These arrive one after the other,
// so their time grows with the number of threads. Here the values go up a tree of threads, and the last thread, the master,
// makes one addition. This also reports the ends of the threads, so it takes the place of the counters that do so otherwise.
//
// The assembler of these machines (src/machine/sarc/assembler) replaces such an addition by a call of skerry_omp_add_last
// if it is the last action of a function that the compiler has made from a construct. The function cannot know whether the
// addition belongs to a reduction. It can be any atomic construct, and another thread of the region can wait for the
// variable's new value. So no thread may wait for another one's end before it makes an addition:
// * A thread sends its addition to a place in the memory of the thread above it. If that thread does not take the addition in
//   time, the thread exchanges the place with NULL. If it gets its addition back, it makes the addition itself.
// * A thread waits only a short time for the additions of the threads below it. It takes each one by an exchange with NULL.
//   So an addition is made either by the thread above or by the thread itself, and only once.
// * If one is missing, or is for another variable, the thread makes all that it has taken, and its own, one by one.
//
// Each thread's end is reported in one of two ways. If all additions arrive at the master, the master adds the number of
// threads to the counter of ends. Otherwise each thread that has made the addition of others also adds to the counters of
// those threads (near.join_counter). The groups of these counters are not the branches of the tree, so all threads of an
// addition are reported one by one.
//
// Who writes what: `places` are written by the threads below, one each; this thread and the thread below exchange the word
// with NULL. `skipped` is written by all. All other words are the thread's own, and those of the tree are constant.
// A thread completes its stores before it sends its addition, and loads of the thread above come after its exchange. So the
// master sees all stores when it has all additions. test/model/near_sum.pml is a model of this protocol.
#include "near_sum.h"

#if OMP_HAS_SUMS

// Called by the program's code, as the last action of a function.
void skerry_omp_add_last(uint32_t *word, uint32_t value, struct omp_sum *sum);

// Only programs that have reductions for near_reduction.c contain these functions.
#pragma weak skerry_omp_reduce
#pragma weak skerry_omp_place_partials

// -- The tree ----------------------------------------------------------------------------------------------------------

static SKERRY_COLD void place_sum(struct omp_team *team, uint32_t number, uint32_t above, uint8_t count) {
    struct omp_sum *sum = &team->members[above]->near.sum;
    const uint32_t place = sum->below++;
    sum->first[place] = (uint8_t)number;
    sum->count[place] = count;
    team->members[number]->near.sum.to = &sum->places[place];
    if (sum->reductions) team->members[number]->near.sum.reductions->to = &sum->reductions->below[place];
}

// Makes the tree by which the threads of a team add at the end of a region. Each branch has consecutive numbers. A thread
// takes the additions of its smallest branches first, because they arrive first.
SKERRY_COLD void skerry_omp_place_sums(struct omp_team *team, const struct skerry_tree_worker *workers) {
    const uint32_t threads = team->threads;
    if (threads > SKERRY_WORKERS_MAX) return;
    const bool has_reductions = skerry_omp_place_partials && skerry_omp_place_partials(team, workers);
    if (threads <= OMP_SUM_FEW && !has_reductions) return;
    uint8_t count[SKERRY_WORKERS_MAX] = {0}; // threads in the branch of each thread
    uint32_t largest = 0;
    for (uint32_t i = threads; i-- > 0;) {
        count[i]++;
        if (i == 0) break;
        const uint32_t above = omp_sum_above(i);
        count[above] = (uint8_t)(count[above] + count[i]);
        if (count[i] > largest) largest = count[i];
    }
    for (uint32_t i = 0; i < threads; i++) {
        struct omp_sum *sum = &team->members[i]->near.sum;
        sum->task = &team->members[i]->implicit;
        sum->own_count = count[i];
        sum->polls = OMP_SUM_POLLS + threads;
    }
    for (uint32_t size = 1; size <= largest; size++) {
        for (uint32_t i = 1; i < threads; i++) {
            if (count[i] == size) place_sum(team, i, omp_sum_above(i), count[i]);
        }
    }
}

// -- Additions ---------------------------------------------------------------------------------------------------------

static void add(uint32_t *word, uint32_t value) {
    __atomic_fetch_add(word, value, __ATOMIC_RELAXED);
}

// Reports the ends of `count` threads from number `first` on, whose additions have been made.
static SKERRY_COLD void report(const struct omp_team *team, uint32_t first, uint32_t count) {
    skerry_complete_stores();
    for (uint32_t i = first; i < first + count; i++)
        skerry_event_counter_add(omp_member(team, i)->near.join_counter, 1);
}

// Makes all threads of the team add by themselves in their next regions, and those that have not yet done so in this one.
// `sum` is the calling thread's. Several threads can call this at the same time, and then store the same or similar values.
SKERRY_COLD void skerry_omp_skip_sums(struct omp_sum *sum, const struct omp_team *team) {
    if (omp_sum_is_skipped(sum)) return; // another thread has called this
    const uint32_t skips = 2 * sum->skips + 1;
    sum->skips = skips < OMP_SUM_SKIPS ? skips : OMP_SUM_SKIPS;
    const uint32_t last = sum->region + sum->skips;
    for (uint32_t i = 0; i < team->threads; i++)
        __atomic_store_n(&omp_member(team, i)->near.sum.skipped, last, __ATOMIC_RELAXED);
}

// Makes all additions of threads below that have arrived, except those in `taken`, a bit for each, which the caller has made.
// Reports the ends of the threads of all these additions, or, before a barrier, tells the threads that it is not complete.
SKERRY_COLD void skerry_omp_add_others(struct omp_sum *sum, const struct omp_team *team, uint32_t taken) {
    skerry_omp_skip_sums(sum, team);
    for (uint32_t i = 0; i < sum->below; i++) {
        if (!(taken >> i & 1)) {
            uint32_t *const other = __atomic_exchange_n(&sum->places[i].word, NULL, __ATOMIC_ACQUIRE);
            if (!other) continue;
            skerry_omp_add_other(sum, i, other);
        }
        if (sum->is_at_barrier) omp_release_to_barrier(team, sum->first[i]);
        else report(team, sum->first[i], sum->count[i]);
    }
}

// Makes an addition of a thread below that the caller has taken from place i.
SKERRY_COLD void skerry_omp_add_other(struct omp_sum *sum, uint32_t i, uint32_t *other) {
    if ((uint32_t)other & OMP_ADDITION_IS_PARTIAL)
        skerry_omp_reduce(other, sum->places[i].value, &sum->reductions->below[i]);
    else add(other, sum->places[i].value);
}

// Reports the ends of the threads of the thread's own addition, which it has made itself because the thread above has not
// taken it.
SKERRY_COLD void skerry_omp_report_own(struct omp_sum *sum, const struct omp_team *team) {
    skerry_omp_skip_sums(sum, team);
    report(team, sum->task->thread_number, sum->own_count);
}

// Does what take() does if the addition at `place` is for another variable, `other`, or if it has not arrived in time: then
// `other` is NULL. Returns false.
static SKERRY_COLD bool add_some(struct omp_sum *sum, const struct omp_addition *place, const struct omp_team *team,
                                 uint32_t *word, uint32_t value, uint32_t *other) {
    const uint32_t i = (uint32_t)(place - sum->places);
    if (other) skerry_omp_add_other(sum, i, other);
    add(word, value);
    skerry_omp_add_others(sum, team, (other ? 2u << i : 1u << i) - 1);
    return false;
}

// Takes the addition at a place and adds it to `*value`. Returns true, or false if it does not arrive in time. The thread polls
// by the exchange itself, which in the thread's own memory takes little longer than a load.
SKERRY_ALWAYS_INLINE bool take_one(struct omp_addition *place, const uint32_t *word, uint32_t *value, uint32_t *polls,
                                   uint32_t **other) {
    while (OMP_UNLIKELY((*other = __atomic_exchange_n(&place->word, NULL, __ATOMIC_ACQUIRE)) != word))
        if (*other || --*polls == 0) return false;
    *value += place->value;
    return true;
}

// Takes the additions of the threads below, and adds them to `*value`. If they do not all arrive in time, makes those that have
// arrived and the thread's own, and returns false.
SKERRY_ALWAYS_INLINE bool take(struct omp_sum *sum, const struct omp_team *team, uint32_t *word, uint32_t *value) {
    uint32_t polls = sum->polls, left = sum->below, *other;
    struct omp_addition *place = sum->places;
    for (; OMP_LIKELY(left >= 3); left -= 3, place += 3) {
        if (OMP_LIKELY(take_one(place, word, value, &polls, &other))) {
            if (OMP_LIKELY(take_one(place + 1, word, value, &polls, &other))) {
                if (OMP_LIKELY(take_one(place + 2, word, value, &polls, &other))) continue;
                place++;
            }
            place++;
        }
        return add_some(sum, place, team, word, *value, other);
    }
    for (; OMP_UNLIKELY(left != 0); left--, place++)
        if (!take_one(place, word, value, &polls, &other)) return add_some(sum, place, team, word, *value, other);
    return true;
}

// Called by a thread that has sent an addition and has got no other region since. Makes the addition if the thread above has
// not taken it, and then returns false.
static SKERRY_COLD bool withdraw(struct omp_thread *self, struct omp_team *team) {
    struct omp_sum *sum = &self->state.member->near.sum;
    if (!__atomic_exchange_n(&sum->to->word, NULL, __ATOMIC_ACQUIRE)) {
        sum->skips = 0;
        return true;
    }
    add(sum->word, sum->value);
    skerry_omp_report_own(sum, team);
    return false;
}

// Called by the master when it waits for the end of the region. Returns true if all threads have ended.
static bool collect(struct omp_thread *self, struct omp_team *team) {
    (void)self;
    struct omp_sum *const sum = &omp_member(team, 0)->near.sum;
    uint32_t *const word = sum->word;
    uint32_t value = sum->value;
    if (OMP_UNLIKELY(!take(sum, team, word, &value))) return false;
    add(word, value);
    skerry_event_counter_add(team->join_counter, team->threads - 1);
    sum->skips = 0;
    return true;
}

// Does what skerry_omp_add_last does in a region in which the threads add by themselves.
static SKERRY_COLD void add_directly(struct omp_sum *sum, uint32_t *word, uint32_t value, uint32_t region) {
    sum->region = region;
    add(word, value);
}

// Sends the thread's addition, and leaves the rest to withdraw(). The caller has completed the thread's stores.
SKERRY_ALWAYS_INLINE void send(struct omp_thread *self, struct omp_sum *sum, struct omp_addition *to, uint32_t *word,
                               uint32_t value, skerry_pair addition) {
    skerry_store_pair((uint32_t *)(void *)to, addition, 0);
    sum->word = word;
    sum->value = value;
    self->joined = NULL;
    self->finish_sum = withdraw;
}

// Sends the addition of a thread that has threads below.
static __attribute__((noinline)) void send_with_below(struct omp_thread *self, struct omp_sum *sum, uint32_t *word,
                                                      uint32_t value) {
    struct omp_addition *const to = sum->to;
    skerry_complete_stores(); // before the wait, in which nothing is stored to other memories
    if (OMP_UNLIKELY(!take(sum, self->state.team, word, &value))) return;
    sum->skips = 0;
    send(self, sum, to, word, value, skerry_pair_make((uint32_t)(uintptr_t)word, value));
}

// Begins the master's addition, which collect() completes.
static __attribute__((noinline)) void begin_collect(struct omp_thread *self, struct omp_sum *sum, uint32_t *word,
                                                    uint32_t value) {
    sum->word = word;
    sum->value = value;
    self->finish_sum = collect;
}

// `sum` is the value of skerry_omp_sum. If the thread's task is another one than the implicit task to which `sum` belongs, then
// this addition is not the thread's last action, so it is made at once. The loads stand before the tests, where the core would
// otherwise wait for the words that it tests; `volatile` keeps them there.
void skerry_omp_add_last(uint32_t *word, uint32_t value, struct omp_sum *sum) {
    struct omp_thread *const self = skerry_omp_self;
    const skerry_pair addition = skerry_pair_make((uint32_t)(uintptr_t)word, value);
    volatile struct omp_sum *const early = sum;
    const uint32_t region = early->region + 1;
    const uint32_t skipped = early->skipped;
    const struct omp_task *const own = early->task;
    const struct omp_task *const task = *(struct omp_task *volatile *)&self->state.task;
    const uint32_t below = early->below;
    struct omp_addition *const to = early->to;
    const struct skerry_event_counter *const joined = *(struct skerry_event_counter *volatile *)&self->joined;
    if (OMP_UNLIKELY(task != own)) return add(word, value);
    if (OMP_UNLIKELY((int32_t)(skipped - region) >= 0) || OMP_UNLIKELY(to && !joined))
        return add_directly(sum, word, value, region);
    sum->region = region;
    if (OMP_UNLIKELY(below)) {
        if (to) return send_with_below(self, sum, word, value);
        return begin_collect(self, sum, word, value);
    }
    skerry_complete_stores();
    send(self, sum, to, word, value, addition);
}

#endif
