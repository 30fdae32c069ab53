#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# PEs of several nodes that wait for a PE that has finalized end the job with one line. PEs that come late do not, and
# neither do PEs of which one computes.
. "$(dirname "$0")/common.sh"
"$SKERRY_BIN/oshcc" -O1 -g "$here/../launch/stranded.c" -o stranded || exit 1
program=$work/stranded

check_hosts() {
    run "$oshrun" --hosts n1:1,n2:1,n3:1 "$program" finalize barrier
    expect_code 1
    expect_line 'oshrun on n2: PE 1 (process *) has finalized, and PEs 0, 2 still wait for it; job stopped'
}
check_one_host_more() {
    run "$oshrun" --hosts n1:2,n2:1 "$program" finalize barrier
    expect_code 1
    expect_line 'oshrun on n1: PE 1 (process *) has finalized, and PEs 0, 2 still wait for it; job stopped'
}
check_one_supervisor() {
    SKERRY_NODES=3 UCX_TLS=tcp,self run "$oshrun" -n 3 "$program" finalize barrier
    expect_code 1
    expect_line 'oshrun: PE 1 (process *) has finalized, and PEs 0, 2 still wait for it; job stopped'
}
check_late() {
    run "$oshrun" --hosts n1:1,n2:1,n3:1 "$program" finalize late
    expect_code 0
    expect_silence
}
check_busy() {
    run "$oshrun" --hosts n1:1,n2:1,n3:1 "$program" finalize busy
    expect_code 0
    expect_silence
}
together hosts one_host_more one_supervisor late
together busy # computes, so nothing runs beside it
finish
