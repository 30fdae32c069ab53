// SPDX-License-Identifier: BSD-3-Clause
// A micro-core cannot be started before it was configured and linked with a channel.
// pes: 1
// expect-exit: 1
// expect-stderr: ^skerry: PE 0: mppa_noc_dnoc_uc_set_program_run: micro-core 2: it was not configured and linked
#include "test.h"

#include <mppa_noc.h>

int main(void) {
    const mppa_noc_uc_program_run_t run = {{1, 1}};
    test_begin();
    mppa_noc_dnoc_uc_alloc(0, 2);
    mppa_noc_dnoc_uc_set_program_run(0, 2, run);
    return test_end();
}
