// SPDX-License-Identifier: BSD-3-Clause
// Mailboxes of the control network (mppa_noc.h): words that replace the value of a mailbox, and are events; barriers, whose
// next round can begin early; allocation by number and without; the clusters that this machine has.
// pes: 1 2 16
#include "test.h"

#include <mppa_noc.h>
#include <mppa_routing.h>

#define VALUES 7
#define ARRIVED 16
#define RELEASED 17
#define ROUNDS 20

static void open_box(unsigned tag, mppa_noc_cnoc_rx_mode_t mode, uint64_t value) {
    const mppa_noc_cnoc_rx_configuration_t configuration = {.mode = mode, .init_value = value};
    const mppa_cnoc_mailbox_notif_t notification = {._ = {.enable = 1, .evt_en = 1, .rm = 1}};
    REQUIRE(mppa_noc_cnoc_rx_alloc(0, tag) == MPPA_NOC_RET_SUCCESS, "mailbox %u is in use", tag);
    REQUIRE(mppa_noc_cnoc_rx_configure(0, tag, configuration, &notification) == MPPA_NOC_RET_SUCCESS, "mailbox %u",
            tag);
}

static unsigned sender_to(int cluster, unsigned tag) {
    mppa_cnoc_config_t config = {0};
    mppa_cnoc_header_t header = {0};
    unsigned sender = 99;
    REQUIRE(mppa_noc_cnoc_tx_alloc_auto(0, &sender, MPPA_NOC_BLOCKING) == MPPA_NOC_RET_SUCCESS, "no sender");
    REQUIRE(mppa_routing_get_cnoc_unicast_route(me, cluster, &config, &header) == MPPA_ROUTING_RET_SUCCESS,
            "route to %d", cluster);
    header._.tag = tag;
    REQUIRE(mppa_noc_cnoc_tx_configure(0, sender, config, header) == MPPA_NOC_RET_SUCCESS, "sender %u", sender);
    return sender;
}

// Each PE sends its right neighbour numbers, and waits until the neighbour has answered.
static void exchange(void) {
    const unsigned right = sender_to(right_of(me), VALUES), left = sender_to(left_of(me), VALUES + 1);
    REQUIRE(right == 0 && left == 1, "senders %u and %u, not the lowest ones", right, left);
    REQUIRE(mppa_noc_cnoc_rx_get_value(0, VALUES) == 5, "the value at the begin");
    shmem_barrier_all();
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        const uint64_t word = i << 40 | (uint64_t)me << 8 | i, expected = i << 40 | (uint64_t)left_of(me) << 8 | i;
        mppa_noc_cnoc_tx_push_eot(0, right, word);
        const int events = mppa_noc_wait_clear_event(0, MPPA_NOC_INTERRUPT_LINE_CNOC_RX, VALUES);
        REQUIRE(events == 1, "%d events, not 1", events);
        const uint64_t value = mppa_noc_cnoc_rx_get_value(0, VALUES);
        REQUIRE(value == expected, "%llx, not %llx", (unsigned long long)value, (unsigned long long)expected);
        REQUIRE(!mppa_noc_has_pending_event(0, MPPA_NOC_INTERRUPT_LINE_CNOC_RX) ||
                    mppa_noc_cnoc_rx_get_value(0, VALUES + 1),
                "an event that was cleared");
        mppa_noc_cnoc_tx_push(0, left, word);
        mppa_noc_wait_clear_event(0, MPPA_NOC_INTERRUPT_LINE_CNOC_RX, VALUES + 1);
    }
    mppa_noc_cnoc_tx_free(0, right);
    mppa_noc_cnoc_tx_free(0, left);
    shmem_barrier_all();
    REQUIRE(!mppa_noc_has_pending_event(0, MPPA_NOC_INTERRUPT_LINE_CNOC_RX), "an event that was cleared is pending");
}

// Several words before the first wait are as many events, and the last one is the value.
static void count(void) {
    if (me == 0) {
        const unsigned sender = sender_to(pes - 1, VALUES);
        for (uint64_t i = 1; i <= 3; i++) mppa_noc_cnoc_tx_push_eot(0, sender, i);
        mppa_noc_cnoc_tx_free(0, sender);
    }
    if (me == pes - 1) {
        int events = 0;
        while (events < 3) events += mppa_noc_wait_clear_event(0, MPPA_NOC_INTERRUPT_LINE_CNOC_RX, VALUES);
        REQUIRE(events == 3, "%d events, not 3", events);
        REQUIRE(mppa_noc_cnoc_rx_get_value(0, VALUES) == 3, "the last word is not the value");
        REQUIRE(mppa_noc_cnoc_clear_rx_event(0, VALUES) == 0, "events are left");
    }
    shmem_barrier_all();
}

static int passed[16]; // rounds of each PE

// A barrier of all PEs as programs for an MPPA make it: PE 0's mailbox collects a bit of each, and then PE 0 tells all.
static void synchronise(void) {
    const unsigned arrive = sender_to(0, ARRIVED);
    unsigned release[16];
    if (me == 0)
        for (int pe = 0; pe < pes; pe++)
            if (pe < 14) release[pe] = sender_to(pe, RELEASED);
    shmem_barrier_all();
    for (int round = 1; round <= ROUNDS; round++) {
        shmem_int_p(&passed[me], round, right_of(me));
        shmem_quiet();
        mppa_noc_cnoc_tx_push_eot(0, arrive, 1ull << (4 * me));
        if (me == 0) {
            mppa_noc_wait_clear_event(0, MPPA_NOC_INTERRUPT_LINE_CNOC_RX, ARRIVED);
            for (int pe = 0; pe < pes; pe++) {
                if (pe < 14) {
                    mppa_noc_cnoc_tx_push_eot(0, release[pe], (uint64_t)round);
                    continue;
                }
                const unsigned sender = sender_to(pe, RELEASED); // there are no senders left for these
                mppa_noc_cnoc_tx_push_eot(0, sender, (uint64_t)round);
                mppa_noc_cnoc_tx_free(0, sender);
            }
        }
        mppa_noc_wait_clear_event(0, MPPA_NOC_INTERRUPT_LINE_CNOC_RX, RELEASED);
        REQUIRE(mppa_noc_cnoc_rx_get_value(0, RELEASED) == (uint64_t)round, "a release of another round");
        REQUIRE(passed[left_of(me)] >= round, "PE %d has not arrived in round %d", left_of(me), round);
    }
    shmem_barrier_all();
}

// A barrier that is configured again for the same bits keeps those that have arrived.
static void keep(void) {
    const mppa_noc_cnoc_rx_configuration_t waits = {MPPA_NOC_CNOC_RX_BARRIER, ~(uint64_t)5};
    const unsigned sender = sender_to(me, 100);
    REQUIRE(mppa_noc_cnoc_rx_alloc(0, 100) == MPPA_NOC_RET_SUCCESS, "mailbox 100");
    mppa_noc_cnoc_rx_configure(0, 100, waits, NULL);
    mppa_noc_cnoc_tx_push(0, sender, 1);
    while (mppa_noc_cnoc_rx_get_value(0, 100) != ~(uint64_t)4) {
    }
    REQUIRE(mppa_noc_cnoc_clear_rx_event(0, 100) == 0, "an event before all bits have come");
    mppa_noc_cnoc_rx_configure(0, 100, waits, NULL);
    mppa_noc_cnoc_tx_push(0, sender, 4);
    REQUIRE(mppa_noc_wait_clear_event(0, MPPA_NOC_INTERRUPT_LINE_CNOC_RX, 100) == 1, "not one event");
    REQUIRE(mppa_noc_cnoc_rx_get_value(0, 100) == ~(uint64_t)5, "the bits of the last round are there");
    mppa_noc_cnoc_rx_free(0, 100);
    mppa_noc_cnoc_tx_free(0, sender);
}

static void allocate(void) {
    unsigned tag = 0, first = 0;
    REQUIRE(mppa_noc_cnoc_rx_alloc(0, VALUES) != MPPA_NOC_RET_SUCCESS, "a mailbox was allocated twice");
    REQUIRE(mppa_noc_cnoc_rx_alloc(0, 126) != MPPA_NOC_RET_SUCCESS, "a mailbox of the runtime");
    REQUIRE(mppa_noc_cnoc_tx_alloc(0, 16) != MPPA_NOC_RET_SUCCESS, "a sender that does not exist");
    REQUIRE(mppa_noc_cnoc_rx_alloc_auto(0, &first, MPPA_NOC_NON_BLOCKING) == MPPA_NOC_RET_SUCCESS && first == 0,
            "mailbox 0");
    int count = 1;
    while (mppa_noc_cnoc_rx_alloc_auto(0, &tag, MPPA_NOC_NON_BLOCKING) == MPPA_NOC_RET_SUCCESS) count++;
    REQUIRE(count == 126 - 4, "%d mailboxes", count);
    mppa_noc_cnoc_rx_free(0, 33);
    REQUIRE(mppa_noc_cnoc_rx_alloc_auto(0, &tag, MPPA_NOC_BLOCKING) == MPPA_NOC_RET_SUCCESS && tag == 33, "mailbox 33");
    for (unsigned i = 0; i < 126; i++)
        if (i != VALUES && i != VALUES + 1 && i != ARRIVED && i != RELEASED) mppa_noc_cnoc_rx_free(0, i);
    mppa_cnoc_config_t config = {0};
    mppa_cnoc_header_t header = {0};
    REQUIRE(mppa_routing_get_cnoc_unicast_route(0, 16, &config, &header) != MPPA_ROUTING_RET_SUCCESS, "cluster 16");
    REQUIRE(mppa_routing_get_cnoc_unicast_route(-1, 0, &config, &header) != MPPA_ROUTING_RET_SUCCESS, "cluster -1");
}

int main(void) {
    test_begin();
    uint64_t all = 0;
    for (int pe = 0; pe < pes; pe++) all |= 1ull << (4 * pe);
    open_box(VALUES, MPPA_NOC_CNOC_RX_MAILBOX, 5);
    open_box(VALUES + 1, MPPA_NOC_CNOC_RX_MAILBOX, 0);
    open_box(ARRIVED, MPPA_NOC_CNOC_RX_BARRIER, ~all);
    open_box(RELEASED, MPPA_NOC_CNOC_RX_MAILBOX, 0);
    allocate();
    shmem_barrier_all();
    exchange();
    count();
    keep();
    synchronise();
    return test_end();
}
