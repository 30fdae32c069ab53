// SPDX-License-Identifier: BSD-3-Clause
// A sender that was freed cannot send.
// pes: 1
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: mppa_noc_cnoc_tx_push: sender 0: the program has not allocated it
#include "test.h"

#include <mppa_noc.h>

int main(void) {
    unsigned sender = 1;
    test_begin();
    mppa_noc_cnoc_tx_alloc_auto(0, &sender, MPPA_NOC_NON_BLOCKING);
    mppa_noc_cnoc_tx_free(0, sender);
    mppa_noc_cnoc_tx_push(0, sender, 1);
    return test_end();
}
