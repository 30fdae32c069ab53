// SPDX-License-Identifier: BSD-3-Clause
// A mailbox that the program has not allocated cannot be configured: a line names the routine and the mailbox.
// pes: 1
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: mppa_noc_cnoc_rx_configure: mailbox 9: the program has not allocated it
#include "test.h"

#include <mppa_noc.h>

int main(void) {
    const mppa_noc_cnoc_rx_configuration_t configuration = {MPPA_NOC_CNOC_RX_MAILBOX, 0};
    test_begin();
    mppa_noc_cnoc_rx_alloc(0, 8);
    mppa_noc_cnoc_rx_configure(0, 8, configuration, NULL);
    mppa_noc_cnoc_rx_configure(0, 9, configuration, NULL);
    return test_end();
}
