#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A choice of tests passes on a network that takes 1 ms for a message. The time of a put and quiet shows the delay.
NODES=2
. "$(dirname "$0")/common.sh"
"${CC:-cc}" -O1 "$hosts_folder/relay.c" -o relay || exit 1
sh "$lab" delay n2 1000 ./relay 2>err || skip "no tap devices on this machine: $(head -1 err)"
tests=$hosts_folder/..
build_test() { # FOLDER NAME
    "$SKERRY_BIN/oshcc" -O1 -g -I"$tests/$1" "$tests/$1/$2.c" -o "$2" || exit 1
}
export UCX_TLS=tcp,self RUN_SECONDS=2

"$SKERRY_BIN/oshcc" -O1 -I"$tests/../bench/shmem" "$tests/../bench/shmem/rma.c" "$tests/../bench/shmem/measure.c" -o rma || exit 1
run "$oshrun" --bind none --hosts n1:1,n2:1 ./rma --seconds 0.2 p_quiet
expect_code 0
awk '$1 == "result" && $2 == "p_quiet" && $5 > 2e6 && $5 < 2e7 { found = 1 } END { exit !found }' out ||
    fail "a put and quiet takes 2 ms and more here: $(cat out)"

for test in shmem/random_operations shmem/signal_order shmem/lock_order shmem/team_nested shmem/put_leaves shmem/thread_contexts \
    shmem/context_create shmem/collective_few_sums shmem/barrier_stress rpc/async rpc/team rpc/far_back aos/put_get \
    aos/queue_credits; do
    [ -e "$tests/$test.c" ] || { fail "no test $test"; continue; }
    build_test "${test%/*}" "${test#*/}"
    begun=$(date +%s%N)
    run "$oshrun" --hosts n1:2,n2:2 "./${test#*/}"
    expect_code 0 "$test"
    expect_silence
    echo "$test $((($(date +%s%N) - begun) / 1000000)) ms"
done
finish
