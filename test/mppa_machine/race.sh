#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --check-races of a master and its clusters: exactly the lines with the comment "race" are reported, each once, with the name of
# the program. The programs of ../mppa have no race. Usage: race.sh FOLDER, which has oshcc and oshrun, SOURCES
. "$(dirname "$0")/common.sh"
sources=$2/test
run() { # words behind oshrun's options; the output is in `out`, the exit code in $code
    code=0
    oshrun --machine mppa --quiet --check-races --max-cycles 60000000 "$@" >out 2>&1 || code=$?
}
for kind in io cluster; do
    oshcc --machine mppa --mppa=$kind -fopenmp -O2 -g "$sources/mppa_machine/race_$kind.c" -o race_$kind -w
done
(cd "$sources/mppa_machine" && grep -n '// race$' race_io.c race_cluster.c | sed 's/^\([^:]*:[0-9]*\):.*/\1/' | sort) >expected
for clusters in 1 3; do
    run ./race_io $clusters
    [ "$code" -eq 123 ] && grep -q '^well$' out || fail "$clusters clusters: exit code $code: $(cat out)"
    grep -o 'race_[a-z]*\.c:[0-9]*' out | sort -u >reported
    cmp -s expected reported || fail "$clusters clusters: $(cat out)"
    grep -q '^skerry-sim: --check-races: 2 pairs of places race$' out || fail "$clusters clusters: $(cat out)"
    grep -q 'race_cluster\.c:[0-9]* in main\._omp_fn\.0 (race_cluster) (omp parallel), cycle' out || fail "no program: $(cat out)"
done
for name in segments queues; do
    oshcc --machine mppa --mppa=io -O2 -g "$sources/mppa/${name}_io.c" -o ${name}_io -w
    oshcc --machine mppa --mppa=cluster -O2 -g "$sources/mppa/${name}_cluster.c" -o ${name}_cluster -w
    run ./${name}_io 3
    [ "$code" -eq 0 ] && [ "$(cat out)" = well ] || fail "$name: exit code $code: $(cat out)"
done
