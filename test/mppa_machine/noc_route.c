// SPDX-License-Identifier: BSD-3-Clause
// A route to the south, and there to an I/O node that is not beside this cluster, leaves the network.
// pes: 1
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: mppa_noc_dnoc_tx_configure: config and header: the route, first_dir 3 and route 0x5, leaves the network
#include "test.h"

#include <mppa_noc.h>

int main(void) {
    mppa_dnoc_header_t header = {0};
    mppa_dnoc_channel_config_t config = {0};
    test_begin();
    mppa_noc_dnoc_tx_alloc(0, 3);
    config._.first_dir = 3;
    header._.route = 5;
    mppa_noc_dnoc_tx_configure(0, 3, header, config);
    return test_end();
}
