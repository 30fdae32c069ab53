// SPDX-License-Identifier: BSD-3-Clause
// Ordered regions of a loop. The share's `ordered` is the first iteration of the chunk whose turn it is; the thread that has that chunk
// owns it, and hands it on by storing the end of its chunk: as soon as each iteration of the chunk has run its region, or when it
// asks for the next chunk, having waited for its turn if no iteration has. The store is a release, seeing it an acquire: what one ordered
// region wrote the next one sees.
#include "share.h"

SKERRY_HOT void await_turn(struct omp_thread *self, struct omp_share *share) {
    SKERRY_WAIT_UNTIL(SKERRY_LOAD_ACQUIRE(&share->ordered) == self->state.ordered_first ||
                          __atomic_load_n(&self->state.team->cancelled, __ATOMIC_RELAXED),
                      self->state.team->bell);
    skerry_sees(&share->ordered);
}

SKERRY_HOT void hand_on(struct omp_thread *self, struct omp_share *share) {
    skerry_publishes(&share->ordered);
    skerry_post(&share->ordered, self->state.ordered_last, self->state.team->bell);
    self->state.ordered_last = self->state.ordered_first = 0;
}

void skerry_omp_ordered_chunk(struct omp_thread *self, const struct omp_chunk *chunk) {
    struct omp_share *share = self->state.share;
    struct omp_state *state = &self->state;
    bool is_first_chunk = state->ordered_share != share || state->ordered_number != state->member->shares;
    if (!is_first_chunk && state->ordered_first != state->ordered_last) { // not handed on yet
        await_turn(self, share);
        hand_on(self, share);
    }
    state->ordered_share = share;
    state->ordered_number = state->member->shares;
    state->ordered_first = chunk ? chunk->first : 0;
    state->ordered_last = chunk ? chunk->last : 0;
    state->ordered_left = state->ordered_last - state->ordered_first;
}

OMP_EXPORT void GOMP_ordered_start(void) {
    struct omp_thread *self = omp_self();
    struct omp_share *share = self->state.share;
    if (self->state.team->threads == 1 || !share || self->state.ordered_first == self->state.ordered_last) return;
    await_turn(self, share);
}

OMP_EXPORT void GOMP_ordered_end(void) {
    struct omp_thread *self = omp_self();
    struct omp_share *share = self->state.share;
    if (self->state.team->threads == 1 || !share || self->state.ordered_first == self->state.ordered_last) return;
    if (--self->state.ordered_left == 0) hand_on(self, share);
}
