// SPDX-License-Identifier: BSD-3-Clause
// A sender that was allocated but not configured cannot send.
// pes: 1
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: mppa_noc_cnoc_tx_push: sender 3: it was not configured
#include "test.h"

#include <mppa_noc.h>

int main(void) {
    test_begin();
    mppa_noc_cnoc_tx_alloc(0, 3);
    mppa_noc_cnoc_tx_push(0, 3, 1);
    return test_end();
}
