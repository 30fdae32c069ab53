// SPDX-License-Identifier: BSD-3-Clause
// A word for a mailbox of a cluster whose program has ended stops the job with a line: nobody owns it any more.
// pes: 2
// expect-exit: 124
// expect-stderr: node 1: a word from node 0 has come to mailbox 7, which nobody owns
#include "test.h"

#include <mppa_noc.h>
#include <mppa_routing.h>

int main(void) {
    const mppa_noc_cnoc_rx_configuration_t words = {.mode = MPPA_NOC_CNOC_RX_MAILBOX};
    mppa_cnoc_config_t config = {0};
    mppa_cnoc_header_t header = {0};
    unsigned sender = 0;
    test_begin();
    mppa_noc_cnoc_rx_alloc(0, 7);
    mppa_noc_cnoc_rx_configure(0, 7, words, NULL);
    shmem_barrier_all();
    if (me == 1) _Exit(0);
    test_sleep_ms(10);
    mppa_noc_cnoc_tx_alloc_auto(0, &sender, MPPA_NOC_BLOCKING);
    mppa_routing_get_cnoc_unicast_route(0, 1, &config, &header);
    header._.tag = 7;
    mppa_noc_cnoc_tx_configure(0, sender, config, header);
    mppa_noc_cnoc_tx_push_eot(0, sender, 1);
    test_sleep_ms(10);
    _Exit(0);
}
