// SPDX-License-Identifier: BSD-3-Clause
// The link to a host program (../contract/host_program.h): skerry-sim passes the messages on (sim/host/host_link.hpp). A
// message takes some cycles in each direction, an input of the machine's description. The core that sends or receives the
// message spends them here, because skerry-sim's services take no time.
#pragma GCC optimize "O2"
#include "../chip/chip.h"
#include "host.h" // ../riscv
#include "jobs.h"

bool skerry_has_host_program(void) {
    return skerry_facts.my_pe == 0 && skerry_host_request(SKERRY_HOST_LINK_CYCLES, 0, 0, 0) >= 0;
}

static void spend_message(void) {
    const uint64_t begin = skerry_ticks();
    const uint64_t cycles = (uint64_t)skerry_host_request(SKERRY_HOST_LINK_CYCLES, 0, 0, 0);
    while (skerry_ticks() - begin < cycles) {
    }
}

void skerry_link_send(struct skerry_link_message message) {
    spend_message();
    skerry_host_request(SKERRY_HOST_LINK_SEND, (long)message.kind, message.value, 0); // a failure ends the run
}

bool skerry_link_receive(struct skerry_link_message *message) {
    const bool has_message = skerry_host_request(SKERRY_HOST_LINK_RECEIVE, (long)message, 0, 0) == 0;
    spend_message();
    return has_message;
}
