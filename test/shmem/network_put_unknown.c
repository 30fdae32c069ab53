// SPDX-License-Identifier: BSD-3-Clause
// An unknown value of SKERRY_NETWORK_PUT ends the job with a line that says which there are.
// pes: 2
// nodes: only
// env: SKERRY_NETWORK_PUT=quick
// expect-fail: SKERRY_NETWORK_PUT=quick: must be message, remote or remote:BYTES
#include "test.h"

int main(void) {
    test_begin();
    return test_end();
}
