// SPDX-License-Identifier: BSD-3-Clause
// A word for a mailbox that nobody owns ends the job with a line that names both clusters.
// pes: 2
// expect-exit: 124
// expect-stderr: node 1: a word from node 0 has come to mailbox 9, which nobody owns
#include "test.h"

#include <mppa_noc.h>
#include <mppa_routing.h>

int main(void) {
    test_begin();
    if (me == 0) {
        mppa_cnoc_config_t config = {0};
        mppa_cnoc_header_t header = {0};
        unsigned sender = 0;
        mppa_noc_cnoc_tx_alloc_auto(0, &sender, MPPA_NOC_BLOCKING);
        mppa_routing_get_cnoc_unicast_route(0, 1, &config, &header);
        header._.tag = 9;
        mppa_noc_cnoc_tx_configure(0, sender, config, header);
        mppa_noc_cnoc_tx_push_eot(0, sender, 1);
    }
    shmem_barrier_all();
    test_sleep_ms(10);
    return test_end();
}
