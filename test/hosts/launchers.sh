#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The main job of `make run` and all examples work on four nodes when srun and mpirun start the PEs themselves (examples.sh
# tests oshrun). If a PE is killed, the job ends soon under srun, mpirun, and oshrun with ssh. Skipped if this
# machine lacks Slurm or Open MPI.
. "$(dirname "$0")/common.sh"
start_srun_and_mpirun
by_oshrun() { "$oshrun" --hosts n1:2,n2:2,n3:2,n4:2 "$@"; }

examples=$hosts_folder/../../examples
expect_works() { # COMMAND...: under each launcher
    for launcher in srun mpirun; do
        by_$launcher "$@" >out 2>err
        code=$?
        expect_code 0 "$1 by $launcher"
        [ -s out ] || fail "$1 by $launcher printed nothing"
        ! grep -i wrong out || fail "$1 by $launcher"
    done
}
for example in hello ring pi histogram rod queue transpose teams sort dotprod_rpc master_worker_aos \
    "cg $examples/data/airfoil.mtx" "graph_rpc $examples/data/debian.mtx $examples/data/debian.names 1"; do
    name=${example%% *}
    "$SKERRY_BIN/oshcc" -O1 "$examples/$name.c" -o "$name" -lm || exit 1
    # shellcheck disable=SC2086
    expect_works ./$example
done
if pkg-config --exists libpng; then
    # shellcheck disable=SC2046
    "$SKERRY_BIN/oshcc" -O1 "$examples"/heat/*.c -o heat $(pkg-config --cflags --libs libpng) -lm || exit 1
    run "$oshrun" -n 5 ./heat -n 500 "$examples/data/cat.png" one.png
    for launcher in srun mpirun; do
        by_$launcher ./heat -n 500 "$examples/data/cat.png" four.png >out 2>err
        code=$?
        expect_code 0 "heat by $launcher"
        cmp one.png four.png || fail "the picture differs by $launcher"
        rm four.png
    done
fi

build_with_library program
limit=5000 # milliseconds, for a machine with much other work; on another one it takes less than 2 s
started() { grep -q waits out; }
pe_left() { ps -eo stat=,args= | grep -v '^Z' | grep -q "[/]program wait"; }
no_pe_left() { ! pe_left; }
for launcher in oshrun srun mpirun; do
    : >out
    by_$launcher "$work/program" wait 1000 >out 2>err &
    job=$!
    wait_until started || fail "$launcher did not start: $(cat err)"
    victim=$(sh "$lab" on n3 pgrep -f "[/]program wait" | tail -1)
    sh "$lab" on n3 kill -9 "$victim"
    begun=$(date +%s%N)
    wait_until no_pe_left || fail "left by $launcher: $(ps -eo args | grep "[/]program wait" | head -3)"
    milliseconds=$((($(date +%s%N) - begun) / 1000000))
    [ "$milliseconds" -lt "$limit" ] || fail "$launcher: PEs were left after $milliseconds ms"
    wait $job
    [ $? -ne 0 ] || fail "$launcher: a killed PE gives exit code 0"
    grep -Eq '(^oshrun on n3: PE 5 [(]process [0-9]+[)]|PE [45] [(]process [0-9]+[)] on node n3) was killed' err || fail "$launcher: no line names the PE and its node: $(cat err)"
done
finish
