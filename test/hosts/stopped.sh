#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --timeout, a signal to oshrun, and the death of processes of the launcher end the job on all nodes.
. "$(dirname "$0")/common.sh"
build_with_library program

run "$oshrun" --timeout 2 --hosts n1:2,n2:1 ./program wait 1000
expect_code 124
expect_line 'oshrun: job stopped after 2 s (--timeout), PEs 0-2 still running'
expect_nothing_left

started() { grep -q waits out; }
begin() {
    : >out
    "$oshrun" --hosts n1:2,n2:1 ./program wait 1000 >out 2>err &
    job=$!
    wait_until started || fail "did not start: $(cat err)"
}
for signal in 15 1; do # SIGTERM, SIGHUP
    begin
    kill -$signal "$job"
    wait "$job"
    code=$?
    expect_code $((128 + signal)) "signal $signal"
    expect_line 'oshrun: stopped by signal *'
    [ "$(cat out)" = waits ] || fail "signal $signal: more output: $(head -c 300 out)" # UCX catches SIGHUP unless it is told not to
    expect_nothing_left
done

begin
kill -KILL "$job"
wait "$job"
expect_nothing_left

# Ctrl-Z stops the PEs too, for as long as the user likes.
: >out
"$oshrun" --hosts n1:1,n2:1 ./program wait 3 >out 2>err &
job=$!
wait_until started || fail "did not start: $(cat err)"
supervisor=$(pgrep -x skerry-job | sort -n | head -1)
kill -TSTP "$supervisor"
stopped_pes() { [ "$(ps -eo stat=,args= | grep -c '^T[a-zA-Z<+]* *\./program wait')" -eq 2 ]; }
wait_until stopped_pes || fail "the PEs run: $(ps -eo stat=,args= | grep program)"
sleep 9 # longer than a side may be silent
kill -CONT "$supervisor"
wait "$job"
code=$?
expect_code 0 "stopped and continued"
expect_silence

begin # a skerry-node
kill -KILL "$(pgrep -x skerry-node | head -1)"
wait "$job"
code=$?
expect_code 1 "a skerry-node was killed"
expect_line 'oshrun: the connection to node n[12] (*) has ended*'
expect_nothing_left
finish
