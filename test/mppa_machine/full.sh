#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Clusters that use nearly all of their memory, and OpenMP in the master and in the clusters: all 16 threads start, with
# stacks that fit. The options are those of Kalray's makefiles, which name libgomp for the linker.
# Usage: full.sh FOLDER, which has oshcc and oshrun, SOURCES
. "$(dirname "$0")/common.sh"
sources=$2/test/mppa_machine
libraries='-lvbsp -lutask -lgomp -lmppa_async -lmppapower -lmppanoc -lmpparouting -mhypervisor -lpthread'

# In two steps, so that -fopenmp is not given to the linker.
for kind in io cluster; do
    # shellcheck disable=SC2086 # several words
    oshcc --machine mppa --mppa=$kind -fopenmp -O2 -g -Wall -c "$sources/full_$kind.c" -o $kind.o &&
        oshcc --machine mppa --mppa=$kind $kind.o -o full_$kind $libraries || fail "$kind does not compile"
done
for clusters in 1 5; do
    code=0
    oshrun --machine mppa --quiet --max-cycles 60000000 ./full_io $clusters >out 2>&1 || code=$?
    [ "$code" -eq 0 ] && [ "$(cat out)" = well ] || fail "$clusters clusters: exit code $code: $(cat out)"
done
