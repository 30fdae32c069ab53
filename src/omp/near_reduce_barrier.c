// SPDX-License-Identifier: BSD-3-Clause
// Makes the reductions that are followed by a barrier, as those of a loop `omp for` inside a region. The values go up the tree of
// near_sum.c as at the end of a region, and the threads then wait. When the master has all values, it performs the operations and
// releases all threads. This is also the barrier: all threads have arrived, because each has sent its values, and has completed its
// stores before.
//
// The assembler of these machines (src/machine/sarc/assembler) finds such reductions and calls skerry_omp_reduce_barrier in place of
// the reduction and GOMP_barrier. As at the end of a region, the reduction can also be an atomic construct for whose result another
// thread waits before it comes to the barrier. So the limits of time are those of near_reduction.c, and each value is used once: the
// thread above takes it by an exchange of the place with NULL, or the thread itself does so and then performs its operation.
// A thread whose values were not used by all is released to the usual barrier:
// * A thread that does not get all values from below performs those that it has, and its own. It tells this to the threads whose
//   values it has taken (OMP_RELEASE_BARRIER), and enters the usual barrier.
// * A thread that has taken back its values, or that is told so, tells the threads below, all of whose values it has taken.
// * If the master has all values but there are tasks, it does the same, because threads run tasks in the usual barrier.
// So a thread whose value was taken gets exactly one word: OMP_RELEASE_LEAVE if the master has the values of all threads, and otherwise
// OMP_RELEASE_BARRIER. It waits for it without a limit, because each thread above waits only for a limited time, until its own value was
// taken. All threads leave the barrier in the same way, so they agree on the number of usual barriers (near_barrier.h): the usual
// barrier is not complete before all threads have entered it.
//
// Who writes what: `release` is set to OMP_RELEASE_NONE by its thread before it sends its values; then it is written at most once
// before the thread leaves, after the values were taken, which the thread knows before it sends the next ones. The words of the
// tree are those of near_sum.c. The values in a place are not overwritten while they are used, because their thread waits.
// test/model/near_reduce_barrier.pml is a model of this protocol.
#include "near_reduction.h"

#if OMP_HAS_SUMS

void GOMP_barrier(void);

// Called by the program's code in place of a reduction and GOMP_barrier, with the arguments of skerry_omp_reduce_last.
void skerry_omp_reduce_barrier(uint32_t *word, uint32_t *word_1, uint32_t *word_2, struct omp_sum *sum, uint32_t kinds,
                               uint32_t u_0, uint32_t u_1, uint32_t u_2, double d_0, double d_1, double d_2);

SKERRY_COLD void skerry_omp_place_releases(struct omp_team *team) {
    for (uint32_t i = 0; i < team->threads; i++) {
        struct omp_reductions *const reductions = team->members[i]->near.sum.reductions;
        const uint32_t first = omp_first_release(i), count = omp_releases(team->threads, i);
        uint32_t **const words = reductions->releases;
        for (uint32_t k = 0; &words[k] != reductions->releases_end; k++)
            words[k] = k < count ? &team->members[first + k]->near.sum.reductions->release : &reductions->unused;
    }
}

// Sends all threads below, whose values this thread has taken, to the usual barrier.
static SKERRY_COLD void release_below_to_barrier(const struct omp_sum *sum, const struct omp_team *team) {
    for (uint32_t i = 0; i < sum->below; i++) omp_release_to_barrier(team, sum->first[i]);
}

// Performs the operations of the thread and of those below, and sends these to the usual barrier.
static SKERRY_COLD void give_up(struct omp_sum *sum, const struct omp_team *team) {
    skerry_omp_reduce(sum->word, sum->value, &sum->reductions->own);
    release_below_to_barrier(sum, team);
}

// Waits until the thread that has sent its values is released. If nobody takes them in time, performs the operations. Returns
// true if the thread may leave the barrier.
static SKERRY_COLD bool await_longer(struct omp_sum *sum, const struct omp_team *team) {
    const struct omp_near *const near = omp_near_of(sum);
    uint32_t *const word = &sum->reductions->release;
    uint32_t release = OMP_RELEASE_NONE;
    for (uint32_t polls = 2 * skerry_omp_reduction_polls(sum->value, near->threads);
         polls > 0 && release == OMP_RELEASE_NONE && !omp_is_hurried(near); polls--)
        release = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    if (release == OMP_RELEASE_NONE && __atomic_exchange_n(&sum->to->word, NULL, __ATOMIC_ACQUIRE)) {
        skerry_omp_skip_sums(sum, team);
        give_up(sum, team);
        return false;
    }
    while ((release = __atomic_load_n(word, __ATOMIC_ACQUIRE)) == OMP_RELEASE_NONE) {
    }
    if (release == OMP_RELEASE_LEAVE) return true;
    release_below_to_barrier(sum, team);
    return false;
}

// Polls during so many times before the thread looks at other words than the one that releases it.
#define FIRST_POLLS 60

SKERRY_ALWAYS_INLINE bool await_release(struct omp_sum *sum, const struct omp_team *team) {
    const uint32_t *const word = &sum->reductions->release;
    for (uint32_t polls = FIRST_POLLS; polls > 0; polls--)
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) == OMP_RELEASE_LEAVE ||
            __atomic_load_n(word, __ATOMIC_ACQUIRE) == OMP_RELEASE_LEAVE)
            return true;
    return await_longer(sum, team);
}

// Performs the thread's own operations and then executes the usual barrier.
static SKERRY_COLD void reduce_alone(uint32_t *word, uint32_t kinds, const struct omp_partial *partial) {
    skerry_omp_reduce(word, kinds, partial);
    GOMP_barrier();
}

void skerry_omp_reduce_barrier(uint32_t *word, uint32_t *word_1, uint32_t *word_2, struct omp_sum *sum, uint32_t kinds,
                               uint32_t u_0, uint32_t u_1, uint32_t u_2, double d_0, double d_1, double d_2) {
    const struct omp_thread *const self = skerry_omp_self;
    struct omp_reductions *const reductions = sum->reductions;
    uint32_t *const marked = omp_set_partial(sum, kinds, word, word_1, word_2, u_0, u_1, u_2, d_0, d_1, d_2);
    // If the task is not the implicit one, then this is a nested region, whose threads are not those of the tree.
    if (OMP_UNLIKELY(self->state.task != sum->task)) return reduce_alone(marked, kinds, &reductions->own);
    const uint32_t *const tasks_made = &self->state.member->near.tasks_made;
    sum->region++;
    if (OMP_UNLIKELY(omp_sum_is_skipped(sum)) || OMP_UNLIKELY(__atomic_load_n(tasks_made, __ATOMIC_RELAXED)))
        return reduce_alone(marked, kinds, &reductions->own);
    const struct omp_team *const team = self->state.team;
    __atomic_store_n(&reductions->release, OMP_RELEASE_NONE, __ATOMIC_RELAXED);
    skerry_complete_stores();
    if (sum->below) {
        sum->is_at_barrier = true;
        const bool has_all = skerry_omp_take_partials(sum, team);
        sum->is_at_barrier = false;
        if (OMP_UNLIKELY(!has_all)) return GOMP_barrier();
    }
    if (sum->to) {
        omp_send_partial(sum);
        if (OMP_UNLIKELY(!await_release(sum, team))) return GOMP_barrier();
        sum->skips = 0;
    } else {
        // A thread that makes the first task of the region stores `tasks_made` into all members before it sends its values.
        if (OMP_UNLIKELY(__atomic_load_n(tasks_made, __ATOMIC_RELAXED))) {
            give_up(sum, team);
            return GOMP_barrier();
        }
        skerry_omp_perform_all(sum, team);
        skerry_complete_stores();
    }
    uint32_t *const *words = reductions->releases, *const *const end = reductions->releases_end;
    for (; words != end; words += OMP_RELEASES) {
        uint32_t *const first = words[0], *const second = words[1], *const third = words[2], *const fourth = words[3];
        __atomic_store_n(first, OMP_RELEASE_LEAVE, __ATOMIC_RELAXED);
        __atomic_store_n(second, OMP_RELEASE_LEAVE, __ATOMIC_RELAXED);
        __atomic_store_n(third, OMP_RELEASE_LEAVE, __ATOMIC_RELAXED);
        __atomic_store_n(fourth, OMP_RELEASE_LEAVE, __ATOMIC_RELAXED);
    }
}

#endif
