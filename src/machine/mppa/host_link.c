// SPDX-License-Identifier: BSD-3-Clause
// Host programs (../contract/host_program.h). None starts a job on this machine yet.
#include "../chip/chip.h"
#include "jobs.h"

bool skerry_has_host_program(void) {
    return false;
}

void skerry_link_send(struct skerry_link_message message) {
    (void)message;
}

bool skerry_link_receive(struct skerry_link_message *message) {
    (void)message;
    return false;
}
