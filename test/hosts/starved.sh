#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A launcher's process that gets no processor time for longer than a side may be silent does not end the job, because the
# kernel of its machine still answers. A stopped process stands in for a starved one. If the link of such a node is cut,
# the job ends. Two jobs at the same time: nodes connected by TCP, and nodes started as by ssh.
. "$(dirname "$0")/common.sh"
build_with_library program
make_mpirun

of_node() { # NODE COMMAND: the process of a node
    for process in $(pgrep -x "$2"); do
        [ "$(readlink "/proc/$process/ns/net")" != "$(readlink "/proc/$(cat "$LAB/$1")/ns/net")" ] || echo "$process"
    done
}
started() { grep -q waits "$1.out"; }
stop_for() { # SECONDS PROCESS
    kill -STOP "$2"
    sleep "$1"
    kill -CONT "$2"
}

try() { # LAUNCHER NODE OTHER_NODE
    "$oshrun" --launcher "$1" --hosts "$2:1,$3:1" ./program wait 1000 >"$1.out" 2>"$1.err" &
    job=$!
    wait_until started "$1" || fail "$1 did not start: $(cat "$1.err")"
    cluster=$(pgrep -x skerry-job -P "$(pgrep -x job-keeper -P $job)")
    stop_for 10 "$(of_node "$2" skerry-node)"
    lives "$1" skerry-node
    stop_for 10 "$cluster"
    sleep 2 # for the nodes to judge
    lives "$1" oshrun
    starved=$(of_node "$2" skerry-node)
    kill -STOP "$starved"
    sleep 8
    sh "$lab" cut "$2"
    begun=$(date +%s)
    wait $job
    [ $? -eq 1 ] || fail "$1: a link that is cut must end the job with code 1"
    [ $(($(date +%s) - begun)) -lt 10 ] || fail "$1: ended $(($(date +%s) - begun)) s after the link was cut"
    grep -q "^oshrun: node $2 (PE 0) does not answer: no sign of life for 7 s; job stopped" "$1.err" ||
        fail "$1: $(cat "$1.err")"
    kill -CONT "$starved" 2>err # it may have ended
    sh "$lab" heal "$2"
    [ $failures -eq 0 ] || exit 1
}
lives() { # LAUNCHER PROCESS
    kill -0 $job 2>err && return
    fail "$1: a starved $2 ended the job: $(cat "$1.err")"
    exit 1
}

try ssh n1 n2 &
first=$!
try mpirun n3 n4 &
wait $! || failures=1
wait $first || failures=1
expect_nothing_left
finish
