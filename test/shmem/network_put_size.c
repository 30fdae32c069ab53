// SPDX-License-Identifier: BSD-3-Clause
// The size in SKERRY_NETWORK_PUT is a whole number.
// pes: 2
// nodes: only
// env: SKERRY_NETWORK_PUT=remote:4k
// expect-fail: SKERRY_NETWORK_PUT=remote:4k: must be message, remote or remote:BYTES
#include "test.h"

int main(void) {
    test_begin();
    return test_end();
}
