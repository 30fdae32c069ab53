#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench/network/peers.sh measures Skerry and Open MPI between two nodes. The times themselves are not tested.
NODES=2
. "$(dirname "$0")/common.sh"
[ -x /usr/bin/oshcc ] && command -v mpirun.openmpi >/dev/null || skip "no OpenSHMEM of Open MPI on this machine"
timeout 200 sh "$hosts_folder/../../bench/network/peers.sh" 1 0.02 >out 2>err
code=$?
expect_code 0
for figure in p_quiet fetch_add barrier_all sum_long; do
    grep -q "^time $figure skerry [0-9]" out && grep -q "^ratio $figure openmpi [0-9]" out || fail "$figure: $(cat out)"
done
timeout 20 sh "$hosts_folder/../../bench/network/peers.sh" 1 0.02 nobody=/nonexistent >out 2>err
[ $? -eq 1 ] || fail "a wrapper that does not exist must be refused"
finish
