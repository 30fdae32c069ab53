#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The examples work on four nodes. The order of a floating-point sum, and which PE takes which part of the work, can
# differ from run to run, so each example checks its own results.
. "$(dirname "$0")/common.sh"
examples=$hosts_folder/../../examples
for example in hello ring pi histogram rod queue transpose teams sort dotprod_rpc master_worker_aos \
    "cg $examples/data/airfoil.mtx" "graph_rpc $examples/data/debian.mtx $examples/data/debian.names 1"; do
    name=${example%% *}
    "$SKERRY_BIN/oshcc" -O1 "$examples/$name.c" -o "$name" -lm || exit 1
    # shellcheck disable=SC2086
    run "$oshrun" --timeout 50 --hosts n1:2,n2:2,n3:1,n4:1 ./$example
    expect_code 0 "$name"
    expect_silence
    [ -s out ] || fail "$name printed nothing"
    ! grep -i wrong out || fail "$name"
done

if pkg-config --exists libpng; then # the main job of `make run`
    # shellcheck disable=SC2046
    "$SKERRY_BIN/oshcc" -O1 "$examples"/heat/*.c -o heat $(pkg-config --cflags --libs libpng) -lm || exit 1
    run "$oshrun" -n 6 ./heat -n 500 "$examples/data/cat.png" one.png
    run "$oshrun" --timeout 50 --hosts n1:2,n2:2,n3:1,n4:1 ./heat -n 500 "$examples/data/cat.png" four.png
    expect_code 0 heat
    cmp one.png four.png || fail "the picture differs"
fi
finish
