// SPDX-License-Identifier: BSD-3-Clause
// Makes the additions with which the threads of a small team end their parts of a region, on machines with counters in
// hardware. The compiler makes a reduction of an integer one atomic addition of each thread to the same variable. A thread that
// makes this addition waits until the variable's memory has answered, and then reports its end. Here a thread posts its value to
// a counter of the master, by one store. The store adds the value, and 1 to the number of values in the counter's lowest bits. So
// it reports the thread's end too. When all values have arrived, the master makes one addition for all threads. In a team of more
// than OMP_SUM_FEW threads the values go up a tree instead (near_sum.c), because they arrive at one memory one after the other.
//
// As in near_sum.c, the addition can be an atomic construct, for whose result another thread of the region waits. So a thread
// whose value is not used in time withdraws it and makes the addition itself:
// * The master takes the values of all threads or of none. `collected` in the master's memory is the number of regions in which
//   it has taken them, times OMP_REGION. It takes them by setting OMP_TAKEN. If OMP_WITHDRAWN was set, it takes none.
// * A thread withdraws by a compare-swap of `collected`, which sets OMP_WITHDRAWN if the number is that before its region and
//   OMP_TAKEN is not set. If another thread has set OMP_WITHDRAWN with this number, no value of this region is taken either.
//   Then the thread subtracts what it has posted, makes its addition, and reports its end. So the counter is 0 when the region
//   ends. In all other cases the master has taken the value, possibly long ago.
// * A thread knows the number, because the master takes values only if all threads have posted: `regions` is the number of
//   regions in which the thread has posted, times OMP_REGION.
//
// A counter cannot tell to which variable the values belong. So a thread posts only values for the variable `word`. The
// master sets this word in the memories of all threads, when a region has ended, if two regions in a row had an addition to the
// same variable (establish). A thread makes an addition to another variable itself. After a withdrawal `word` is NULL in
// all threads, so they make the additions of the next regions themselves, until the master has seen the same variable often enough
// again. A value that does not fit beside the number of values is added by its thread, which then posts 0.
//
// Who writes what: `word` and `regions` belong to the thread; the master writes them while the thread waits for a region and has
// nothing to withdraw, and other threads store NULL to `word` when they withdraw. `collected` is as described. All other words
// are the thread's own or constant. A thread completes its stores before it posts, so the master sees them when all values have
// arrived. test/model/near_post.pml is a model of this protocol.
#include "near_sum.h"

#if OMP_HAS_SUMS

// Called by the program's code, as the last action of a function.
void skerry_omp_post_last(uint32_t *word, uint32_t value, struct omp_posts *posts);

enum { OMP_WITHDRAWN = 1, OMP_TAKEN = 2, OMP_REGION = 4 };

// The counter's lowest bits have the number of values. Above them is the sum, so a value has at most VALUE_BITS bits.
#define COUNT_BITS 5
#define VALUE_BITS (32 - COUNT_BITS - 4)
#define COUNT_MASK ((1u << COUNT_BITS) - 1)
_Static_assert(OMP_SUM_FEW <= 1 << 4 && OMP_SUM_FEW - 1 <= COUNT_MASK, "the values of all threads fit");

// The master waits for values during so many polls before it adds its own value.
#define FIRST_POLLS 40

#define REPEATS_MAX 31 // at most so many regions in a row must have the same variable before values are posted again

// Takes a counter for the values of the team's threads, and memory near each of them, if the team has a suitable size. If there is not
// enough of both, the threads make their additions themselves.
SKERRY_COLD void skerry_omp_place_posts(struct omp_team *team, const struct skerry_tree_worker *workers) {
    if (team->threads > OMP_SUM_FEW || team->threads <= OMP_POST_FEW) return;
    struct skerry_event_counter *const counter = skerry_event_counter_take(workers[0].number);
    uint32_t placed = 0;
    for (; counter && placed < team->threads; placed++) {
        struct omp_near *const near = &team->members[placed]->near;
        near->posts = skerry_memory_take_near(sizeof *near->posts, _Alignof(struct omp_posts), workers[placed].number);
        if (!near->posts) break;
        *near->posts = (struct omp_posts){.counter = counter};
        *(placed ? &near->posts->task : &near->posts->master_task) = &team->members[placed]->implicit;
        near->sum.polls = OMP_SUM_POLLS + team->threads; // for the wait before a withdrawal
    }
    if (placed == team->threads) return;
    while (placed-- > 0) {
        skerry_memory_give(team->members[placed]->near.posts);
        team->members[placed]->near.posts = NULL;
    }
    skerry_event_counter_give(counter);
}

static void add(uint32_t *word, uint32_t value) {
    __atomic_fetch_add(word, value, __ATOMIC_RELAXED);
}

static struct omp_posts *posts_of(const struct omp_team *team, uint32_t thread) {
    return omp_member(team, thread)->near.posts;
}

// What a thread adds to the counter. The shift keeps the value's sign.
SKERRY_ALWAYS_INLINE uint32_t post_of(uint32_t value) {
    return (value << COUNT_BITS) + 1;
}

// Called by a thread that has posted a value and has got no other region since. If the master has not taken the values of the
// region, prevents that it takes them, and makes the thread's addition.
static SKERRY_COLD bool withdraw(struct omp_thread *self, struct omp_team *team) {
    struct omp_posts *const posts = self->state.member->near.posts;
    const uint32_t before = posts->regions - OMP_REGION;
    uint32_t found = before;
    if (!__atomic_compare_exchange_n(&posts_of(team, 0)->collected, &found, before | OMP_WITHDRAWN, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) &&
        (found | OMP_TAKEN) != (before | OMP_WITHDRAWN | OMP_TAKEN))
        return true;
    for (uint32_t i = 0; i < team->threads; i++) __atomic_store_n(&posts_of(team, i)->word, NULL, __ATOMIC_RELAXED);
    add(posts->sent, posts->value);
    skerry_event_counter_add(posts->counter, 0 - post_of(posts->value));
    skerry_complete_stores();
    skerry_event_counter_add(self->state.member->near.join_counter, 1);
    return false;
}

// Called by the master when it waits for the end of a region, before values are posted. Waits until all threads have ended
// the region and makes them post the values for the variable. Returns false if there are tasks to run.
static SKERRY_COLD bool establish(struct omp_thread *self, struct omp_team *team) {
    (void)self;
    struct omp_posts *const own = posts_of(team, 0);
    while (skerry_event_counter_value(team->join_counter) != (uint32_t)team->to_join)
        if (__atomic_load_n(&omp_member(team, 0)->near.tasks_made, __ATOMIC_RELAXED)) return false;
    own->collected = 0;
    own->is_noted = false;
    for (uint32_t i = 0; i < team->threads; i++) {
        struct omp_posts *const posts = posts_of(team, i);
        posts->regions = 0;
        __atomic_store_n(&posts->word, own->last, __ATOMIC_RELEASE);
    }
    return true;
}

// Makes an addition to a variable for which no values are posted.
static SKERRY_COLD void add_directly(struct omp_thread *self, struct omp_posts *posts, uint32_t *word, uint32_t value) {
    add(word, value);
    if (!posts->master_task) return;
    if ((posts->collected & OMP_WITHDRAWN) && !posts->is_noted) {
        posts->is_noted = true;
        posts->wanted = 2 * posts->wanted + 1 < REPEATS_MAX ? 2 * posts->wanted + 1 : REPEATS_MAX;
        posts->repeats = 0;
    }
    if (posts->last != word) {
        posts->last = word;
        posts->repeats = 0;
    } else if (posts->repeats++ >= posts->wanted) {
        self->finish_sum = establish;
    }
}

// Takes the values of all other threads, whose sum and number is `posted`, and makes the addition of `value` and these. Returns
// false if a thread has withdrawn.
SKERRY_ALWAYS_INLINE bool take(struct omp_posts *posts, struct skerry_event_counter *counter, uint32_t *word,
                               uint32_t value, uint32_t posted, struct skerry_event_counter *join_counter,
                               uint32_t others) {
    const uint32_t before = __atomic_fetch_or(&posts->collected, OMP_TAKEN, __ATOMIC_RELAXED);
    skerry_compiler_fence();
    value += (uint32_t)((int32_t)posted >> COUNT_BITS);
    if (OMP_UNLIKELY(before & OMP_WITHDRAWN)) return false;
    add(word, value);
    skerry_event_counter_add(counter, 0 - posted);
    __atomic_store_n(&posts->collected, before + OMP_REGION, __ATOMIC_RELAXED); // nobody else changes it now
    skerry_event_counter_add(join_counter, others);
    posts->wanted = 1;
    return true;
}

// Does what collect() does if the values have not arrived after some polls. Another thread possibly waits for the master's value,
// so adds this first. Returns false if the values do not come: a thread has withdrawn, all threads have ended without them, or
// there are tasks to run.
static SKERRY_COLD bool collect_late(struct omp_near *near, const struct omp_team *team) {
    struct omp_posts *const posts = near->posts;
    const uint32_t others = team->threads - 1;
    add(posts->sent, posts->value);
    uint32_t posted;
    while (((posted = skerry_event_counter_value(posts->counter)) & COUNT_MASK) != others)
        if (__atomic_load_n(&near->tasks_made, __ATOMIC_RELAXED) ||
            (__atomic_load_n(&posts->collected, __ATOMIC_RELAXED) & OMP_WITHDRAWN) ||
            skerry_event_counter_value(team->join_counter) == (uint32_t)team->to_join)
            return false;
    return take(posts, posts->counter, posts->sent, 0, posted, team->join_counter, others);
}

// Makes the master's addition, because a thread has withdrawn. Returns false.
static SKERRY_COLD bool add_own(const struct omp_posts *posts) {
    add(posts->sent, posts->value);
    return false;
}

// Called by the master when it waits for the end of the region. Returns true if all threads have ended. It calls other functions
// only as its last action, so it saves no registers. All words are loaded before the polls.
static bool collect(struct omp_thread *self, struct omp_team *team) {
    (void)self;
    struct omp_near *const near = &omp_member(team, 0)->near;
    struct omp_posts *const posts = near->posts;
    struct skerry_event_counter *const counter = posts->counter, *const join_counter = team->join_counter;
    uint32_t *const word = posts->sent;
    const uint32_t others = team->threads - 1, value = posts->value;
    for (uint32_t polls = FIRST_POLLS; polls > 0; polls--) {
        uint32_t posted;
        if (((posted = skerry_event_counter_value(counter)) & COUNT_MASK) == others ||
            ((posted = skerry_event_counter_value(counter)) & COUNT_MASK) == others ||
            ((posted = skerry_event_counter_value(counter)) & COUNT_MASK) == others ||
            ((posted = skerry_event_counter_value(counter)) & COUNT_MASK) == others)
            return OMP_LIKELY(take(posts, counter, word, value, posted, join_counter, others)) || add_own(posts);
    }
    return collect_late(near, team);
}

// Posts a value and leaves the rest to withdraw().
SKERRY_ALWAYS_INLINE void post(struct omp_thread *self, struct omp_posts *posts, struct skerry_event_counter *counter,
                               uint32_t regions, uint32_t *word, uint32_t value) {
    skerry_complete_stores();
    skerry_event_counter_add(counter, post_of(value));
    posts->sent = word;
    posts->value = value;
    posts->regions = regions + OMP_REGION;
    self->joined = NULL;
    self->finish_sum = withdraw;
}

// Does what skerry_omp_post_last does in other cases than the usual ones. If the thread's task is another one than the implicit
// task to which `posts` belongs, then this addition is not the thread's last action, so it is made at once. So is an addition of a
// thread that has more to do at the end of its part.
static SKERRY_COLD void post_slowly(struct omp_thread *self, struct omp_posts *posts, uint32_t *word, uint32_t value) {
    if (self->state.task != (posts->task ? posts->task : posts->master_task)) return add(word, value);
    if (posts->word != word) return add_directly(self, posts, word, value);
    add(word, value);
    if (self->joined) post(self, posts, posts->counter, posts->regions, word, 0); // the value does not fit
}

// `posts` is the value of skerry_omp_post. One branch decides whether all is as usual, because the core loses cycles at each: the
// thread's last action, a thread that has nothing else to do at the end of its part and is not the master, the variable, and a
// value that fits. The loads stand before the tests, where the core would otherwise wait for the words that it tests;
// `volatile` keeps them there.
void skerry_omp_post_last(uint32_t *word, uint32_t value, struct omp_posts *posts) {
    struct omp_thread *const self = skerry_omp_self;
    volatile struct omp_posts *const early = posts;
    uint32_t *const posted = early->word;
    const struct omp_task *const own = early->task;
    struct skerry_event_counter *const joined = *(struct skerry_event_counter *volatile *)&self->joined;
    const struct omp_task *const task = *(struct omp_task *volatile *)&self->state.task;
    struct skerry_event_counter *const counter = early->counter;
    const uint32_t regions = early->regions;
    const uint32_t fitting = (uint32_t)((int32_t)(value << (32 - VALUE_BITS)) >> (32 - VALUE_BITS));
    const uintptr_t unusual =
        ((uintptr_t)posted ^ (uintptr_t)word) | ((uintptr_t)own ^ (uintptr_t)task) | (value ^ fitting) | !joined;
    if (OMP_UNLIKELY(unusual)) {
        if (OMP_UNLIKELY(task != posts->master_task) || OMP_UNLIKELY(posted != word))
            return post_slowly(self, posts, word, value);
        posts->sent = word;
        posts->value = value;
        self->finish_sum = collect;
        return;
    }
    post(self, posts, counter, regions, word, value);
}

#endif
