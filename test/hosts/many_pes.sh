#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs of 64 PEs on 4 nodes, which all share the few processors of this machine, start and end in a short time. While
# the PEs wait for messages they must leave the processors to others: ssh makes a session for each node, and the
# scheduler did not run oshrun and skerry-node for 7 s and more beside sessions full of PEs that yielded.
. "$(dirname "$0")/common.sh"
build_with_library program
start_ssh_servers 4
unset SKERRY_PROCESSORS
export UCX_TLS=tcp,self # PEs of different nodes must not find each other by this machine's shared memory

for _ in 1 2 3 4 5 6; do
    begun=$(date +%s%N)
    run "$oshrun" --bind none --hosts n1:16,n2:16,n3:16,n4:16 ./program
    milliseconds=$((($(date +%s%N) - begun) / 1000000))
    expect_code 0
    expect_silence
    [ "$(wc -l <out)" = 64 ] || fail "output: $(cat out)"
    [ "$milliseconds" -lt 20000 ] || fail "took $milliseconds ms"
done
finish
