#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# `skerry bench network` ends with figures on a machine whose processors are busy. Both PEs run on one processor, beside
# other programs: a process of the benchmark that polled without end could keep the other from answering.
NODES=2
. "$(dirname "$0")/common.sh"
[ -x "$SKERRY_BIN/../libexec/skerry/bench/network" ] || skip "the benchmarks are not built"
others=
for _ in 1 2 3 4 5 6; do
    taskset -c 0 sh -c 'while :; do :; done' &
    others="$others $!"
done
for _ in 1 2 3 4 5; do
    run timeout 60 taskset -c 0 "$SKERRY_BIN/skerry" bench network --hosts n1:1,n2:1 --rounds 1
    expect_code 0
    grep -q p_quiet out || fail "no figures: $(cat out err)"
done
# shellcheck disable=SC2086
kill $others
finish
