#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One failure gives one line in jobs that srun and mpirun start, although several nodes notice it: a PE that ends, also the
# first PE of a node, which watches the other nodes, all PEs of a node, and a module that is missing on one node or on all nodes,
# also the module by which the processes talk to the launcher, and processes that are slow to take the right to write. Skipped
# if this machine lacks Slurm or Open MPI.
# alone: yes
. "$(dirname "$0")/common.sh"
network=$SKERRY_BIN/../lib/skerry/network
start=$SKERRY_BIN/../lib/skerry/start
start_srun_and_mpirun
build_with_library failing
"${CC:-cc}" -shared -fPIC "$here/slow_listen.c" -o slow_listen.so || exit 1

LIMIT="timeout -k 5 60"
run_pes() { # as run, with the launcher $launcher
    by_"$launcher" "$@" >out 2>err
    code=$?
}
no_pe_left() { [ -z "$(ps -eo stat=,args= | awk '$1 !~ /^Z/ && /\/failing / && !/awk|srun|mpirun|orted/')" ]; }
# fails WHAT PATTERN: the job has failed, and the library has written one line, which matches a pattern of grep.
fails() {
    [ "$code" -ne 0 ] || fail "$launcher, $1: exit code 0"
    grep -q "^skerry: PE [0-7]: $2\$" err || fail "$launcher, $1: $(head -c 700 err)"
    [ "$(grep -c '^skerry: ' err)" -eq 1 ] || fail "$launcher, $1: more than one line: $(grep '^skerry: ' err)"
    wait_until no_pe_left || fail "$launcher, $1: PEs are left"
}
for launcher in srun mpirun; do
    for pe in 4 7; do # the first of n3, and the second of n4
        process="PE $pe (process [0-9]*) on node n$((pe / 2 + 1))"
        run_pes "$work/failing" crash $pe
        fails "crash of $pe" "$process was killed by signal 11 (Segmentation fault); job stopped"
        run_pes "$work/failing" killed $pe
        fails "kill of $pe" "$process was killed, or ended without shmem_finalize; job stopped"
        run_pes "$work/failing" global_exit $pe
        fails "exit of $pe" 'called shmem_global_exit with status 9; job stopped'
    done
    # mpirun itself can end such a job before a node writes a line.
    run_pes "$work/failing" node_killed 4
    grep -q '^skerry: ' err || [ $launcher = srun ] || echo "skerry: PE 0: PE 4, the first of node n3, has ended; job stopped" >>err
    fails "kill of n3" 'PE 4, the first of node n3, has ended; job stopped'
    for i in 1 2 3 4; do sh "$lab" on n$i mount -t tmpfs empty "$network"; done
    run_pes "$work/failing" crash 9
    fails "no module for UCX" 'shmem_init: this job has several nodes, and the network module cannot be loaded on node n1: .*'
    for i in 1 2 3 4; do sh "$lab" on n$i umount -l "$network"; done
    run_pes sh -c "$work/failing never 0; $work/failing never 0"
    fails "a second program" 'a PMIx launcher has started this program (PMIX_NAMESPACE is set), but PMIx fails: .* a process of the launcher can run only one program that uses PMIx; .*'
    run_pes env LD_PRELOAD="$work/slow_listen.so" sh -c "$work/failing never 0; $work/failing never 0"
    fails "a second program, slowly" 'a PMIx launcher has started this program (PMIX_NAMESPACE is set), but PMIx fails: .*'
    for nodes in "3" "1 2 3 4"; do
        for i in $nodes; do sh "$lab" on "n$i" mount -t tmpfs empty "$start"; done
        run_pes "$work/failing" crash 9
        fails "no module for PMIx on $nodes" "a PMIx launcher has started this program (PMIX_NAMESPACE is set), and the module for PMIx cannot be loaded on node n[$nodes]: .*"
        for i in $nodes; do sh "$lab" on "n$i" umount -l "$start"; done
    done
done

# The same by oshrun.
launcher=oshrun
for i in 1 2 3 4; do sh "$lab" on n$i mount -t tmpfs empty "$network"; done
run "$oshrun" --hosts n1:2,n2:2,n3:2,n4:2 ./failing crash 9
fails "no module for UCX" 'shmem_init: this job has several nodes, and the network module cannot be loaded on node n1: .*'
for i in 1 2; do sh "$lab" on n$i umount -l "$network"; done
run "$oshrun" --hosts n1:2,n2:2,n3:2,n4:2 ./failing crash 9
fails "no module for UCX on n3 and n4" 'shmem_init: this job has several nodes, and the network module cannot be loaded on node n3: .*'
finish
