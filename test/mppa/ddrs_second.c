// SPDX-License-Identifier: BSD-3-Clause
// The second I/O program of ddrs.sh: uses both DDRs as a cluster does.
#include "ddrs.h"

int main(void) {
    CHECK(__k1_get_cluster_id() == 192);
    CHECK(mppa_async_server_init() == 0);
    for (int round = 0; round < 3; round++) use_both(50, round);
    CHECK(mppa_async_server_final() == 0);
    return 0;
}
