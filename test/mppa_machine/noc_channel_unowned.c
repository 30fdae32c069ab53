// SPDX-License-Identifier: BSD-3-Clause
// A channel that was freed cannot send.
// pes: 1
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: mppa_noc_dnoc_tx_send_data: Tx channel 3: the program has not allocated it
#include "test.h"

#include <mppa_noc.h>
#include <mppa_routing.h>

int main(void) {
    test_begin();
    mppa_noc_dnoc_tx_alloc(0, 3);
    mppa_noc_dnoc_tx_free(0, 3);
    mppa_noc_dnoc_tx_send_data(0, 3, 1, "");
    return test_end();
}
