// SPDX-License-Identifier: BSD-3-Clause
// A route of words in a direction that does not exist leaves the network.
// pes: 1
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: mppa_noc_cnoc_tx_configure: config and header: the route, first_dir 6 and route 0x0, leaves the network
#include "test.h"

#include <mppa_noc.h>

int main(void) {
    mppa_cnoc_header_t header = {0};
    mppa_cnoc_config_t config = {0};
    test_begin();
    mppa_noc_cnoc_tx_alloc(0, 3);
    config._.first_dir = 6;
    mppa_noc_cnoc_tx_configure(0, 3, config, header);
    return test_end();
}
