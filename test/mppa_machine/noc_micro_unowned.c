// SPDX-License-Identifier: BSD-3-Clause
// A program cannot wait for a micro-core that it has not allocated.
// pes: 1
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: mppa_noc_wait_clear_event: micro-core 4: the program has not allocated it
#include "test.h"

#include <mppa_noc.h>

int main(void) {
    test_begin();
    mppa_noc_wait_clear_event(0, MPPA_NOC_INTERRUPT_LINE_DNOC_TX, 4);
    return test_end();
}
