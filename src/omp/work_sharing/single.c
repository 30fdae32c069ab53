// SPDX-License-Identifier: BSD-3-Clause
// Implements the single construct: the first thread that arrives at a single construct runs it. Each thread numbers the
// single constructs that it reaches, from 1. The team's word `single` contains the number of the last construct that a
// thread has begun to run. test/model/single.pml is a model of this protocol.
#include "../sync/wait.h"
#include "../task/group.h"
#include "../task/optional.h"

#define FEW_THREADS 4

// Returns true if this thread must run its next single construct, construct n. The thread whose compare-swap changes
// `single` to n runs the construct. A thread that finds n or more in `single` does not run it.
SKERRY_ALWAYS_INLINE bool take_single(struct omp_thread *self) {
    struct omp_team *team = self->state.team;
    skerry_word number = ++self->state.member->singles;
    if (omp_threads(self) == 1) return true;
    skerry_word before = number - 1;
    // In a small team a thread often finds that no other thread has begun the construct. In such a team the thread
    // executes the compare-swap at once: a load before it would fetch the cache line for reading, and the compare-swap
    // would then fetch the line again for writing. In a larger team most threads come too late, and a load alone is
    // enough for them.
    if (omp_threads(self) > FEW_THREADS && skerry_reached(&team->single, number)) return false;
    return __atomic_compare_exchange_n(&team->single, &before, number, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

OMP_EXPORT bool GOMP_single_start(void) {
    return take_single(omp_self());
}

// Begins a single construct with copyprivate. Returns NULL to the thread that must run the construct. Other threads
// wait until `copied` has reached the construct's number, and get the address of the data to copy. The data stays valid
// until all threads have copied it, because a barrier follows.
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
