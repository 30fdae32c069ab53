// SPDX-License-Identifier: BSD-3-Clause
// Implements ordered regions of a loop. The chunks run their ordered regions in the order of their iterations. The word
// `ordered` of struct omp_work_share contains the first iteration of the chunk that is allowed to run its ordered
// regions now. This chunk has the turn.
#include "work_share.h"

SKERRY_ALWAYS_INLINE void await_turn(struct omp_thread *self, struct omp_work_share *work_share) {
    SKERRY_WAIT_UNTIL(SKERRY_LOAD_ACQUIRE(&work_share->ordered) == self->state.ordered_first ||
                          __atomic_load_n(&self->state.team->cancelled, __ATOMIC_RELAXED),
                      self->state.team->eventcount);
    skerry_sees(&work_share->ordered);
}

// Gives the turn to the next chunk: stores the end of the thread's own chunk into `ordered`. This store is a release,
// and the load in await_turn is an acquire. An ordered region therefore sees everything that all earlier ordered
// regions stored.
SKERRY_ALWAYS_INLINE void pass_turn(struct omp_thread *self, struct omp_work_share *work_share) {
    skerry_publishes(&work_share->ordered);
    omp_store_release(&work_share->ordered, self->state.ordered_last, self->state.team->eventcount);
    self->state.ordered_last = self->state.ordered_first = 0;
}

void skerry_omp_ordered_chunk(struct omp_thread *self, const struct omp_chunk *chunk) {
    struct omp_work_share *work_share = self->state.work_share;
    struct omp_state *state = &self->state;
    bool is_first_chunk =
        state->ordered_work_share != work_share || state->ordered_number != state->member->work_shares;
    // Normally the thread gives the turn to the next chunk when every iteration of its chunk has run its ordered
    // region. If some iterations have no ordered region, the thread does this here, when it takes its next chunk.
    if (!is_first_chunk && state->ordered_first != state->ordered_last) { // the thread's last chunk still has the turn
        await_turn(self, work_share);
        pass_turn(self, work_share);
    }
    state->ordered_work_share = work_share;
    state->ordered_number = state->member->work_shares;
    state->ordered_first = chunk ? chunk->first : 0;
    state->ordered_last = chunk ? chunk->last : 0;
    state->ordered_left = state->ordered_last - state->ordered_first;
}

OMP_EXPORT void GOMP_ordered_start(void) {
    struct omp_thread *self = omp_self();
    struct omp_work_share *work_share = self->state.work_share;
    if (self->state.team->threads == 1 || !work_share || self->state.ordered_first == self->state.ordered_last) return;
    await_turn(self, work_share);
}

OMP_EXPORT void GOMP_ordered_end(void) {
    struct omp_thread *self = omp_self();
    struct omp_work_share *work_share = self->state.work_share;
    if (self->state.team->threads == 1 || !work_share || self->state.ordered_first == self->state.ordered_last) return;
    if (--self->state.ordered_left == 0) pass_turn(self, work_share);
}
