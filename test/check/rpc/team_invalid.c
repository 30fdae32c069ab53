// SPDX-License-Identifier: BSD-3-Clause
// A call to the PEs of a team that there is not.
// pes: 2
// check: yes
// expect-exit: 1
// expect-stderr: ^skerry: PE [0-9]+: shmemx_rpc_team: team: must not be SHMEM_TEAM_INVALID
#include <shmemx.h>

static long data[4];

static long twice(long *at) {
    return 2 * *localize(at);
}
RPC(twice)

int main(void) {
    shmem_init();
    shmemx_rpc_team(SHMEM_TEAM_INVALID, NULL, twice, data);
    shmem_finalize();
    return 0;
}
