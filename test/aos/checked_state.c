// SPDX-License-Identifier: BSD-3-Clause
// pes: 1
// check: yes
// expect-fail: skerry: PE 0: aos_fence_all: must be called after aos_init and before aos_finalize
// When checking, a call before aos_init ends the job with a line.
#include "segments.h"

int main(void) {
    aos_fence_all(NULL);
    return 0;
}
