// SPDX-License-Identifier: BSD-3-Clause
// Implements the single construct: the first thread that arrives at a single runs it. Each thread numbers the singles
// that it meets from 1. The team's word `single` is the number of the last single that a thread took. A thread that
// raises the word to a single's number has taken this single and runs it. A thread that finds that the word has reached
// the number does not run the single. With copyprivate, these other threads wait until the team's word `copied` has
// reached the number. Then `copy_data` contains the address of the single's data. The data stays valid until all
// threads have copied it, because a barrier follows. Model: test/model/single.pml.
#include "../sync/wait.h"
#include "../task/group.h"

#define FEW_THREADS 4

SKERRY_ALWAYS_INLINE bool take_single(struct omp_thread *self) {
    struct omp_team *team = self->state.team;
    skerry_word number = ++self->state.member->singles;
    if (omp_threads(self) == 1) return true;
    skerry_word before = number - 1;
    // In a small team most threads find that the single is not taken yet. So the thread executes the compare-swap
    // without a load before it: a load would fetch the cache line for reading, and the compare-swap would then fetch it
    // again for writing.
    if (omp_threads(self) > FEW_THREADS && skerry_reached(&team->single, number)) return false;
    return __atomic_compare_exchange_n(&team->single, &before, number, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

OMP_EXPORT bool GOMP_single_start(void) {
    return take_single(omp_self());
}

OMP_EXPORT void *GOMP_single_copy_start(void) {
    struct omp_thread *self = omp_self();
    struct omp_team *team = self->state.team;
    if (take_single(self)) return NULL;
    OMP_HELP_UNTIL(self, team,
                   skerry_reached(&team->copied, self->state.member->singles) ||
                       __atomic_load_n(&team->cancelled, __ATOMIC_RELAXED));
    skerry_sees(&team->copied);
    return team->copy_data;
}

OMP_EXPORT void GOMP_single_copy_end(void *data) {
    struct omp_thread *self = omp_self();
    struct omp_team *team = self->state.team;
    if (omp_threads(self) == 1) return;
    team->copy_data = data;
    skerry_publishes(&team->copied);
    skerry_store_release(&team->copied, self->state.member->singles, team->eventcount);
}
