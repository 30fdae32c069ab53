// SPDX-License-Identifier: BSD-3-Clause
// A channel that was allocated but not configured cannot send.
// pes: 1
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: mppa_noc_dnoc_tx_send_data: Tx channel 3: it was not configured
#include "test.h"

#include <mppa_noc.h>

int main(void) {
    test_begin();
    mppa_noc_dnoc_tx_alloc(0, 3);
    mppa_noc_dnoc_tx_send_data(0, 3, 1, "");
    return test_end();
}
