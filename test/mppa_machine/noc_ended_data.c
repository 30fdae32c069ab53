// SPDX-License-Identifier: BSD-3-Clause
// A packet for a tag of a cluster whose program has ended stops the job with a line: nobody owns it any more.
// pes: 2
// expect-exit: 124
// expect-stderr: node 1, DMA: a packet from node 0 arrived for Rx tag 7, which nobody owns
#include "test.h"

#include <mppa_noc.h>
#include <mppa_routing.h>

static char buffer[64];

int main(void) {
    const mppa_noc_dnoc_rx_configuration_t receive = {
        .buffer_base = (uintptr_t)buffer, .buffer_size = sizeof buffer, .activation = MPPA_NOC_ACTIVATED};
    mppa_dnoc_channel_config_t config = {0};
    mppa_dnoc_header_t header = {0};
    test_begin();
    mppa_noc_dnoc_rx_alloc(0, 7);
    mppa_noc_dnoc_rx_configure(0, 7, receive);
    shmem_barrier_all();
    if (me == 1) _Exit(0);
    test_sleep_ms(10);
    mppa_routing_get_dnoc_unicast_route(0, 1, &config, &header);
    header._.tag = 7;
    mppa_noc_dnoc_tx_alloc(0, 0);
    mppa_noc_dnoc_tx_configure(0, 0, header, config);
    mppa_noc_dnoc_tx_send_data_eot(0, 0, sizeof buffer, buffer);
    test_sleep_ms(10);
    _Exit(0);
}
