#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The nodes of a job of srun or mpirun are containers on one machine. Their PEs know that they share its processors, and yield in
# waits, although no node has more PEs than processors. A job on one of the nodes yields only if it has too many PEs itself.
# Skipped if this machine lacks Slurm or Open MPI.
. "$(dirname "$0")/common.sh"
start_srun_and_mpirun
build_with_library program
export SHMEM_DEBUG=1 SKERRY_PROCESSORS=4
told() { grep -o '^skerry: [0-9]* PEs, [a-z ]*' err; }
expect() { # TEXT CASE COMMAND...
    text="skerry: $1" which=$2
    shift 2
    "$@" >out 2>err </dev/null
    code=$?
    expect_code 0 "$which"
    [ "$(told)" = "$text" ] || fail "$which: $(told), and not $text: $(head -c 500 err)"
}
LIMIT="timeout 60"
expect '8 PEs, more than processors' srun by_srun ./program
expect '8 PEs, more than processors' mpirun by_mpirun -x SHMEM_DEBUG -x SKERRY_PROCESSORS ./program
expect '4 PEs, a processor each' 'srun on two nodes' $LIMIT srun -Q --mpi=pmix -w n1,n2 -N 2 -n 4 ./program
expect '3 PEs, a processor each' 'srun on one node' $LIMIT srun -Q --mpi=pmix -w n1 -N 1 -n 3 ./program
SKERRY_PROCESSORS=3
expect '4 PEs, more than processors' 'srun on two nodes with 3 processors' $LIMIT srun -Q --mpi=pmix -w n1,n2 -N 2 -n 4 ./program
end_launchers
finish
