// SPDX-License-Identifier: BSD-3-Clause
// Implements the slow path of token_lock.h: waits until the lock is given to this thread.
#include "token_lock.h"

void skerry_omp_token_wait(uint32_t *word, uint16_t ticket) {
    SKERRY_WAIT_UNTIL(__atomic_load_n((uint16_t *)(void *)word + 1, __ATOMIC_ACQUIRE) == ticket,
                      skerry_eventcount_of(word));
}
