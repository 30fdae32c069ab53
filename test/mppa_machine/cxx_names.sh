#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Names of C++ that need more of the machine than most (cxx_names.cpp), on the machines with the C++ library, and pause().
# Usage: cxx_names.sh FOLDER, which has oshcc and oshrun, SOURCES
. "$(dirname "$0")/common.sh"
here=$2/test/mppa_machine

run() { # oshrun's options; the output is in `out`
    code=0
    oshrun "$@" --quiet --max-cycles 200000000 ./program 16 >out 2>&1 || code=$?
    [ "$code" -eq 5 ] && ! grep -q wrong out && [ "$(grep -A 1 '^first$' out | tail -n 1)" = second ] || fail "$*: exit code $code: $(cat out)"
}

for machine in mppa-cluster smp-16; do
    oshc++ --machine $machine -std=c++11 -Wall -Wextra -Werror -O2 -fopenmp "$here/cxx_names.cpp" -o program
    run --machine $machine
done
oshc++ --machine mppa -std=c++20 -Wall -Wextra -Werror -O2 -fopenmp "$here/cxx_names.cpp" -o program
run --machine mppa -n 1
grep '^random' out >random_of_one
run --machine mppa -n 2
# PE 0 has the same random numbers in each job, and PE 1 has others.
[ "$(grep '^random' out | sort -u | wc -l)" -eq 2 ] && grep '^random' out | grep -q -x -F -f random_of_one ||
    fail "random numbers: $(cat out), PE 0 alone: $(cat random_of_one)"

# Nobody ends a pause, so the job ends with a line that says where each core waits.
printf '#include <unistd.h>\nint main(void) { return pause(); }\n' >pause.c
oshcc --machine mppa -Wall -Wextra -Werror pause.c -o pause.elf
code=0
oshrun --machine mppa -n 1 --quiet --max-cycles 10000000 ./pause.elf >out 2>&1 || code=$?
[ "$code" -eq 124 ] && grep -q '<pause>' out || fail "pause: exit code $code: $(cat out)"
