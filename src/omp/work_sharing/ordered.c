// SPDX-License-Identifier: BSD-3-Clause
// Implements ordered regions of a loop. Chunks get their turn in the order of their iterations. The word `ordered` of
// the work share is the first iteration of the chunk whose turn it is. The thread that has this chunk passes the turn
// on by storing the end of its chunk into `ordered`. It passes the turn on when every iteration of the chunk has run
// its ordered region. If some iterations have no ordered region, it waits for its turn and passes the turn on when it
// asks for its next chunk. The store is a release and the load that sees it is an acquire, so an ordered region sees
// what all earlier ordered regions wrote.
#include "work_share.h"

SKERRY_ALWAYS_INLINE void await_turn(struct omp_thread *self, struct omp_work_share *work_share) {
    SKERRY_WAIT_UNTIL(SKERRY_LOAD_ACQUIRE(&work_share->ordered) == self->state.ordered_first ||
                          __atomic_load_n(&self->state.team->cancelled, __ATOMIC_RELAXED),
                      self->state.team->eventcount);
    skerry_sees(&work_share->ordered);
}

SKERRY_ALWAYS_INLINE void hand_on(struct omp_thread *self, struct omp_work_share *work_share) {
    skerry_publishes(&work_share->ordered);
    omp_store_release(&work_share->ordered, self->state.ordered_last, self->state.team->eventcount);
    self->state.ordered_last = self->state.ordered_first = 0;
}

void skerry_omp_ordered_chunk(struct omp_thread *self, const struct omp_chunk *chunk) {
    struct omp_work_share *work_share = self->state.work_share;
    struct omp_state *state = &self->state;
    bool is_first_chunk =
        state->ordered_work_share != work_share || state->ordered_number != state->member->work_shares;
    if (!is_first_chunk && state->ordered_first != state->ordered_last) { // the last chunk's turn is not passed on yet
        await_turn(self, work_share);
        hand_on(self, work_share);
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
    if (--self->state.ordered_left == 0) hand_on(self, work_share);
}
