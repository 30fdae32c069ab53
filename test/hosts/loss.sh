#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A network that loses one packet of a hundred gives no wrong result and no hang. RUN_SECONDS=600 makes the test longer.
. "$(dirname "$0")/common.sh"
command -v nft >/dev/null || skip "no nft on this machine"
"$SKERRY_BIN/oshcc" -O1 -g -I"$hosts_folder/../shmem" "$hosts_folder/../shmem/random_operations.c" -o random || exit 1
for node in n1 n2 n3; do
    sh "$lab" loss "$node" 1 || skip "this kernel cannot drop packets"
done
sh "$lab" on n1 nft list ruleset | grep -q drop || skip "this kernel cannot drop packets"
export RUN_SECONDS="${RUN_SECONDS:-5}" UCX_TLS=tcp,self
timeout $((RUN_SECONDS + 100)) "$oshrun" --hosts n1:2,n2:1,n3:2 ./random >out 2>err
code=$?
expect_code 0
expect_silence
grep -q '^[1-9][0-9]* operations in' out || fail "no number of operations: $(head -c 300 out)"
cat out
finish
