// SPDX-License-Identifier: BSD-3-Clause
// Atomics by the network are refused, with the reason.
// pes: 2
// nodes: only
// env: SKERRY_ATOMICS=nic
// expect-fail: SKERRY_ATOMICS=nic: must be 'processor' \(the default\): an atomic that the network adapter executes \(nic\) is not atomic
#include "test.h"

int main(void) {
    test_begin();
    return test_end();
}
