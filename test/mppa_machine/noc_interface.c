// SPDX-License-Identifier: BSD-3-Clause
// A cluster has one interface to the networks.
// pes: 1
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: mppa_noc_cnoc_rx_alloc: interface 1: a cluster has only interface 0
#include "test.h"

#include <mppa_noc.h>

int main(void) {
    test_begin();
    mppa_noc_cnoc_rx_alloc(1, 3);
    return test_end();
}
