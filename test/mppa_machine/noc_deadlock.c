// SPDX-License-Identifier: BSD-3-Clause
// Routes of a program that deadlock end the job with a line, a list of the packets that wait for each other, and a drawing:
// the four clusters of a row send to their left neighbours by the three links to the right.
// pes: 4
// expect-exit: 124
// expect-stderr: ^ +0 --[A-D]--> +1 --[A-D]--> +2 --[A-D]--> +3 --[A-D]-->$
#include "test.h"

#include <mppa_noc.h>
#include <mppa_routing.h>

#define BYTES 16384
#define EAST 2u

static _Alignas(8) char source[BYTES], buffer[BYTES];

int main(void) {
    mppa_noc_dnoc_rx_configuration_t receive = MPPA_NOC_DNOC_RX_CONFIGURATION_INIT;
    mppa_noc_dnoc_uc_configuration_t configuration = MPPA_NOC_DNOC_UC_CONFIGURATION_INIT;
    mppa_dnoc_channel_config_t config = {0};
    mppa_dnoc_header_t header = {0};
    const mppa_noc_uc_program_run_t run = {{1, 1}};
    test_begin();
    receive.buffer_base = (uintptr_t)buffer;
    receive.buffer_size = sizeof buffer;
    receive.activation = MPPA_NOC_ACTIVATED;
    mppa_noc_dnoc_rx_alloc(0, 9);
    mppa_noc_dnoc_rx_configure(0, 9, receive);

    // A route has three bits for each step, of which `first_dir` has the first ones.
    MPPA_NOC_DNOC_TX_CONFIG_INITIALIZER_DEFAULT(config, 0);
    config._.payload_max = 62;
    config._.first_dir = EAST;
    header._.route = EAST << 3 | EAST;
    header._.tag = 9;
    header._.valid = 1;
    mppa_noc_dnoc_tx_alloc(0, 0);
    mppa_noc_dnoc_tx_configure(0, 0, header, config);
    configuration.program_start = (uintptr_t)mppa_noc_linear_firmware_eot_event;
    configuration.buffer_base = (uintptr_t)source;
    configuration.buffer_size = sizeof source;
    mppa_noc_dnoc_uc_alloc(0, 0);
    mppa_noc_dnoc_uc_link(0, 0, 0, configuration);
    mppa_noc_dnoc_uc_set_linear_params(&configuration, sizeof source, 0, 0);
    mppa_noc_dnoc_uc_configure(0, 0, configuration, header, config);
    shmem_barrier_all();
    mppa_noc_dnoc_uc_set_program_run(0, 0, run);
    mppa_noc_wait_clear_event(0, MPPA_NOC_INTERRUPT_LINE_DNOC_RX, 9);
    shmem_barrier_all();
    return test_end();
}
