#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Wrong ways to start a job: each gets one line and a non-zero exit code, and does not hang.
. "$(dirname "$0")/mpirun.sh"

run mpirun -n 3 sh -c '[ $PMIX_RANK = 2 ] && export SHMEM_SYMMETRIC_SIZE=32m; exec ./pe' </dev/null
expect_code 1 "different heaps"
expect_skerry_line 'PE 0: SHMEM_SYMMETRIC_SIZE: the symmetric heap has 1073741824 bytes on PE 0 and 33554432 on PE 2; it must have the same size on all PEs' "different heaps"

# Different programs. A copy is the same program: in containers one file can have several mounts.
{ cat "$here/pe.c"; echo 'long more_data[5000] = {1};'; } >other.c
"$SKERRY_BIN/oshcc" -O1 -g other.c -o other || exit 1
run mpirun -n 2 ./pe : -n 1 ./other </dev/null
expect_code 1 "different programs"
expect_skerry_line "PE 0: PE 2 on node $(hostname) runs another program than PE 0 on node $(hostname): their files differ; all PEs of a job must run the same program" "different programs"
cp pe copy
run mpirun -n 2 ./pe : -n 1 ./copy </dev/null
sort -o out out
expect_work 3 "a copy of the program"
expect_silence

# No PMIx server answers.
run env PMIX_NAMESPACE=gone PMIX_RANK=0 PMIX_SERVER_URI4='gone.0;tcp4://127.0.0.1:1' PMIX_SERVER_URI41='gone.0;tcp4://127.0.0.1:1' ./pe
expect_code 1 "no server"
expect_skerry_line 'PE 0: a PMIx launcher has started this program (PMIX_NAMESPACE is set), but PMIx fails: PMIx_Init: .*; to run without PMIx, set SKERRY_PMIX=none: each process is then a job of its own with one PE' "no server"

# A process of the launcher can run only one program.
run mpirun -n 2 sh -c './pe >first && ./pe' </dev/null
expect_code 1 "two programs"
grep -q 'a process of the launcher can run only one program that uses PMIx' err || fail "two programs: $(head -c 500 err)"

# The number of processors is checked as in a job of oshrun.
run mpirun -n 2 -x SKERRY_PROCESSORS=none ./pe </dev/null
expect_code 1 "SKERRY_PROCESSORS"
grep -q '^skerry: PE [01]: SKERRY_PROCESSORS=none: must be a whole number, not below 0$' err || fail "SKERRY_PROCESSORS: $(head -c 500 err)"
finish
