// SPDX-License-Identifier: BSD-3-Clause
// A wait for events of an unknown kind ends the job with a line.
// pes: 1
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: mppa_noc_wait_clear_event: line 9: there are no events of this kind
#include "test.h"

#include <mppa_noc.h>

int main(void) {
    test_begin();
    mppa_noc_wait_clear_event(0, (mppa_noc_interrupt_line_t)9, 3);
    return test_end();
}
