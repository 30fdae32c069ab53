// SPDX-License-Identifier: BSD-3-Clause
// Waits for a lock that is a queue with one token (token_lock.h).
#include "token_lock.h"

void skerry_omp_token_wait(uint32_t *word, uint16_t ticket) {
    SKERRY_WAIT_UNTIL(__atomic_load_n((uint16_t *)(void *)word + 1, __ATOMIC_ACQUIRE) == ticket,
                      skerry_eventcount_of(word));
}
