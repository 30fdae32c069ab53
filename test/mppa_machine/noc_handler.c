// SPDX-License-Identifier: BSD-3-Clause
// Handlers of events (mppa_noc.h): the resource manager runs them for a mailbox, an Rx tag and a micro-core, while the program
// computes. A handler sees the bytes behind which the event came, and can send and put. A removed handler is not called.
// pes: 2 16
#include "test.h"

#include <mppa_noc.h>
#include <mppa_routing.h>

#define BOX 5
#define TAG 6
#define TIMES 20
#define TX MPPA_NOC_INTERRUPT_LINE_DNOC_TX
#define RX MPPA_NOC_INTERRUPT_LINE_DNOC_RX
#define BOXES MPPA_NOC_INTERRUPT_LINE_CNOC_RX

static unsigned char buffer[64], source[64];
static volatile uint32_t words, transfers, jobs, wrong; // what handlers have seen
static int answers;                                     // put by the handlers of the right neighbour
static unsigned sender;

static void on_word(unsigned interface, mppa_noc_interrupt_line_t line, unsigned tag, void *argument) {
    if (interface != 0 || line != BOXES || tag != BOX || argument != &words) wrong++;
    words = (uint32_t)mppa_noc_cnoc_rx_get_value(0, BOX); // the number of the last word
}

static void on_data(unsigned interface, mppa_noc_interrupt_line_t line, unsigned tag, void *argument) {
    const unsigned number = buffer[0];
    (void)interface, (void)line, (void)tag, (void)argument;
    for (unsigned i = 0; i < sizeof buffer; i++)
        if (buffer[i] != number) wrong++;
    transfers = number;
    shmem_int_p(&answers, (int)number, left_of(me));
    mppa_noc_cnoc_tx_push(0, sender, number);
}

static void on_sent(unsigned interface, mppa_noc_interrupt_line_t line, unsigned tag, void *argument) {
    (void)interface, (void)argument;
    if (line == TX && tag == 0) jobs++;
}

static void open(void) {
    const mppa_noc_cnoc_rx_configuration_t box = {.mode = MPPA_NOC_CNOC_RX_MAILBOX};
    const mppa_noc_dnoc_rx_configuration_t tag = {
        .buffer_base = (uintptr_t)buffer, .buffer_size = sizeof buffer, .activation = MPPA_NOC_ACTIVATED};
    mppa_noc_cnoc_rx_alloc(0, BOX);
    mppa_noc_cnoc_rx_configure(0, BOX, box, NULL);
    mppa_noc_dnoc_rx_alloc(0, TAG);
    mppa_noc_dnoc_rx_configure(0, TAG, tag);
    REQUIRE(mppa_noc_register_interrupt_handler(0, BOXES, BOX, on_word, (void *)(uintptr_t)&words) ==
                MPPA_NOC_RET_SUCCESS,
            "a handler of a mailbox");
    REQUIRE(mppa_noc_register_interrupt_handler(0, RX, TAG, on_data, NULL) == MPPA_NOC_RET_SUCCESS,
            "a handler of a tag");
    REQUIRE(mppa_noc_register_interrupt_handler(0, RX, TAG, NULL, NULL) != MPPA_NOC_RET_SUCCESS, "no function");
    mppa_noc_disable_interrupt_handler(0, RX, 99); // it has none
}

// To the mailbox of the left neighbour, by the handler of data.
static void open_sender(void) {
    mppa_cnoc_config_t config = {0};
    mppa_cnoc_header_t header = {0};
    mppa_noc_cnoc_tx_alloc_auto(0, &sender, MPPA_NOC_BLOCKING);
    mppa_routing_get_cnoc_unicast_route(me, left_of(me), &config, &header);
    header._.tag = BOX;
    mppa_noc_cnoc_tx_configure(0, sender, config, header);
}

// To the tag of the right neighbour, by micro-core 0.
static void open_micro_core(void) {
    mppa_noc_dnoc_uc_configuration_t configuration = MPPA_NOC_DNOC_UC_CONFIGURATION_INIT;
    mppa_dnoc_channel_config_t config = {0};
    mppa_dnoc_header_t header = {0};
    mppa_routing_get_dnoc_unicast_route(me, right_of(me), &config, &header);
    header._.tag = TAG;
    mppa_noc_dnoc_tx_alloc(0, 0);
    mppa_noc_dnoc_tx_configure(0, 0, header, config);
    configuration.program_start = (uintptr_t)mppa_noc_linear_firmware_eot_event;
    configuration.buffer_base = (uintptr_t)source;
    configuration.buffer_size = sizeof source;
    mppa_noc_dnoc_uc_set_linear_params(&configuration, sizeof source, 0, 0);
    mppa_noc_dnoc_uc_alloc(0, 0);
    REQUIRE(mppa_noc_dnoc_uc_unlink(0, 0, 0) != MPPA_NOC_RET_SUCCESS, "unlinked before it was linked");
    mppa_noc_dnoc_uc_link(0, 0, 0, configuration);
    mppa_noc_dnoc_uc_configure(0, 0, configuration, header, config);
    REQUIRE(mppa_noc_register_interrupt_handler(0, TX, 0, on_sent, NULL) == MPPA_NOC_RET_SUCCESS,
            "a handler of a micro-core");
}

int main(void) {
    const mppa_noc_uc_program_run_t run = {{1, 1}};
    test_begin();
    open_sender();
    open();
    open_micro_core();
    shmem_barrier_all();
    for (uint32_t number = 1; number <= TIMES; number++) {
        memset(source, (int)number, sizeof source);
        mppa_noc_dnoc_uc_set_program_run(0, 0, run);
        while (words != number) { // the program computes; nothing in it waits for an event
        }
        REQUIRE(jobs == number, "%u jobs were seen, not %u", (unsigned)jobs, (unsigned)number);
        shmem_int_wait_until(&answers, SHMEM_CMP_EQ, (int)number);
    }
    shmem_barrier_all();
    REQUIRE(wrong == 0 && transfers == TIMES, "%u are wrong, %u transfers", (unsigned)wrong, (unsigned)transfers);
    mppa_noc_disable_interrupt_handler(0, RX, TAG);
    shmem_barrier_all();
    memset(source, 0, sizeof source);
    mppa_noc_dnoc_uc_set_program_run(0, 0, run);
    REQUIRE(mppa_noc_wait_clear_event(0, RX, TAG) == 1 && transfers == TIMES, "a removed handler was called");
    REQUIRE(mppa_noc_dnoc_uc_unlink(0, 0, 0) == MPPA_NOC_RET_SUCCESS, "unlink");
    shmem_barrier_all();
    return test_end();
}
