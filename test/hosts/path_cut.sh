#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# If the path between two nodes is cut that oshrun still reaches, the job ends everywhere after some seconds, with one line that
# names both nodes. It does not matter which launcher has started the nodes, or whether they still start. Nodes between
# which no data travels, and nodes that are only slow, are not taken for cut off.
# waits: yes
NODES=20
. "$(dirname "$0")/common.sh"
build_with_library program
build_with_library path
build_with_library failing
make_mpirun

PATHS='oshrun: node n* (PE*) and node n* (PE*) cannot reach each other: no answer for 7 s; job stopped'
started() { grep -q "$1" out; }
begin() { # WORD OSHRUN_ARGUMENT...: starts a job and waits until it prints the word
    word=$1
    shift
    : >out
    timeout 100 "$oshrun" "$@" >out 2>err &
    job=$!
    wait_until started "$word" || fail "$*: did not start: $(cat err)"
}
expect_end() { # SECONDS PATTERN: the limits are for a machine with much other work; on another one it takes 4 to 9 s
    begun=$(date +%s%N)
    wait $job
    code=$?
    milliseconds=$((($(date +%s%N) - begun) / 1000000))
    expect_code 1
    expect_line "$2"
    [ "$milliseconds" -lt "${1}000" ] || fail "ended after $milliseconds ms"
}

check_busy() { # PEs put to each other all the time
    begin ready --hosts n1:2,n2:2,n3:2 "$work/path" ring
    cut_path n1 n2
    expect_end 15 "$PATHS"
    case $(cat err) in *n[12]*n[12]*) ;; *) fail "other nodes: $(cat err)" ;; esac
}
check_quiet() { # PEs wait, and no data is under way when the path is cut; the nodes are no neighbours in a ring
    begin ready --launcher mpirun --hosts n4:1,n5:1,n6:1,n7:1 "$work/path" wait
    cut_path n4 n6
    expect_end 15 "oshrun: node n[46] (PE [02]) and node n[46] (PE [02]) cannot reach each other: *"
}
check_start() { # cut before the first connection
    cut_path n8 n9
    "$oshrun" --hosts n8:2,n9:2 "$work/program" >out 2>err &
    job=$!
    expect_end 16 "oshrun: node n[89] (PEs *) gets no answer from node n[89] (PEs *) within 7 s: *firewall*UCX_NET_DEVICES*"
}
check_late() { # the PEs of the third node are late; the others wait for them in shmem_init
    mkdir late
    (cd late && exec timeout 100 "$oshrun" --hosts n18:2,n19:2,n20:2 "$work/failing" late 4 >out 2>err) &
    job=$!
    wait_until late_started || fail "late: did not start: $(cat late/err)"
    sleep 1
    cut_path n18 n19
    begun=$(date +%s%N)
    wait $job
    code=$?
    milliseconds=$((($(date +%s%N) - begun) / 1000000))
    cp late/err err
    expect_code 1
    expect_line 'oshrun: node n1[89] (PEs *) and node n1[89] (PEs *) cannot reach each other: no answer for 7 s; job stopped'
    [ "$milliseconds" -lt 15000 ] || fail "late: ended after $milliseconds ms"
}
late_started() { [ "$(ps -eo args= | awk -v program="$work/failing" '$1 == program' | wc -l)" -eq 6 ]; }
check_slow() { # processes that are stopped, skerry-node too, answer by their kernel
    begin ready --hosts n10:1,n11:1 "$work/path" ring
    stopped=$(sh "$lab" on n11 pgrep -x 'skerry-node|path')
    # shellcheck disable=SC2086
    sh "$lab" on n11 kill -STOP $stopped
    sleep 9
    # shellcheck disable=SC2086
    sh "$lab" on n11 kill -CONT $stopped
    sleep 3
    kill -0 $job 2>/dev/null || fail "ended: $(cat err)"
    pkill -TERM -P $job
    wait $job
}
check_unused() { # in a job of 6 nodes nothing uses the path between the second node and the fifth
    : >out
    timeout 100 "$oshrun" --hosts n12:1,n13:1,n14:1,n15:1,n16:1,n17:1 "$work/program" wait 12 >out 2>err &
    job=$!
    wait_until started waits || fail "did not start: $(cat err)"
    cut_path n13 n16
    wait $job
    code=$?
    expect_code 0
    expect_silence
}
together busy quiet start late slow unused
expect_nothing_left
finish
