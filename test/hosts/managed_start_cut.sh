#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# srun and mpirun start the PEs themselves, and a link or a path is cut before all of them have called shmem_init. The job
# ends some seconds after the cut, or after the start if the cut was earlier, with a line that names the node. A node that is only
# slow to start is not taken for dead. Skipped if this machine lacks Slurm or Open MPI.
# waits: yes
. "$(dirname "$0")/common.sh"
[ -f "$SKERRY_BIN/../lib/skerry/start/pmix.so" ] || skip "this build has no module for PMIx (libpmix-dev)"
command -v mpirun >/dev/null && mpirun --version 2>/dev/null | grep -q 'Open MPI' || skip "no mpirun of Open MPI"
start_ssh_servers 4
start_slurm 4
srun --mpi=list 2>&1 | grep -qw pmix || skip "this Slurm has no plugin for PMIx"
unset PMIX_NAMESPACE PMIX_RANK SKERRY_PMIX
export UCX_TLS=tcp,self OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_oob_tcp_if_include=10.77.0.0/24 OMPI_MCA_orte_tmpdir_base="$work"
build_with_library program
limit=25000 # milliseconds, for a machine with much other work; on another one it takes 6 to 12 s

# Starts the program at once, except on the node LATE, where it waits for the file "go".
cat >late <<END
#!/bin/sh
[ "\$(hostname)" != "\$LATE" ] || until [ -e "$work/go" ]; do sleep 0.1; done
exec "\$@"
END
chmod +x late
by_srun() { exec srun -Q --mpi=pmix -w n1,n2,n3,n4 -N 4 -n 8 "$@" </dev/null; }
by_mpirun() { exec mpirun -x LATE --host n1:2,n2:2,n3:2,n4:2 -n 8 --bind-to none "$@" </dev/null; }
pes() { ps -eo stat=,args= | awk -v program="$work/program" '$1 !~ /^Z/ && $2 == program' | wc -l; }
has_pes() { [ "$(pes)" -eq "$1" ]; }
all_idle() { [ "$(sinfo -h -N -t idle 2>/dev/null | wc -l)" -eq 4 ]; }

# Starts a job of 8 PEs, of which 2 wait on the node $LATE. Returns when the other 6 run, and have waited for 3 s.
begin() { # LAUNCHER
    rm -f go
    ("by_$1" "$work/late" "$work/program" >out 2>err) &
    job=$!
    wait_until has_pes 6 || wait_until has_pes 6 || fail "$1: did not start: $(cat err)"
    sleep 3
}
told() { # NODE PATTERN
    grep -Eq "^skerry: PE [0-7]: shmem_init: node n[1-4] \(PEs [0-9]-[0-9]\) waits for node $1 \(PEs [0-9]-[0-9]\), which does not answer: no sign of life for 7 s; job stopped\$${2:+|$2}" err
}
expect_end() { # LAUNCHER NODE [PATTERN]: all PEs end, with a line that names the node
    begun=$(date +%s%N)
    until has_pes 0 || [ $((($(date +%s%N) - begun) / 1000000)) -gt $((limit + 5000)) ]; do sleep 0.1; done
    milliseconds=$((($(date +%s%N) - begun) / 1000000))
    [ "$milliseconds" -lt "$limit" ] || fail "$1, $2: the PEs have ended after $milliseconds ms"
    # The launcher can pass the line on after the PEs have ended.
    wait_until told "$2" "${3:-}" || fail "$1, $2: $(head -c 700 err)"
    ! grep -q -e 'has not called' -e 'is missing there' err || fail "$1, $2: wrong cause: $(cat err)"
}
clean_up() { # the launchers wait for the node that is cut off (docs/guide/clusters.md)
    scancel -u root
    for process in $(pgrep -x 'mpirun|orted'); do kill -9 "$process" 2>/dev/null; done
    wait $job 2>/dev/null
    wait_until has_pes 0 || fail "PEs are left"
    wait_until all_idle || wait_until all_idle || fail "not idle: $(sinfo -N)"
}

for launcher in srun mpirun; do
    export LATE=n3
    begin $launcher
    sh "$lab" cut n3
    expect_end $launcher n3
    sh "$lab" heal n3
    clean_up
done

# The first node, where PE 0 asks Slurm which processes run.
export LATE=n2
begin srun
sh "$lab" cut n1
expect_end srun n1
sh "$lab" heal n1
clean_up

# Before the start: the link of a node, and the path to the first node. The nodes have never answered.
sh "$lab" cut n3
begun_pes() { [ "$(pes)" -ge 4 ]; }
(by_srun "$work/program" >out 2>err) &
job=$!
wait_until begun_pes || fail "did not start: $(cat err)"
expect_end srun n3
sh "$lab" heal n3
clean_up
sh "$lab" block n1 n3
sh "$lab" block n3 n1
(by_srun "$work/program" >out 2>err) &
job=$!
wait_until begun_pes || fail "did not start: $(cat err)"
# Slurm possibly brings the addresses there by another way. Then the nodes watch the path itself.
expect_end srun n1 '^skerry: PE [0-7]: node n[13] \(PEs [0-9]-[0-9]\) gets no answer from node n[13] \(PEs [0-9]-[0-9]\) within 7 s: .*; job stopped$'
sh "$lab" unblock n1 n3
sh "$lab" unblock n3 n1
clean_up

# The same with two nodes: only the host of srun answers.
sh "$lab" block n1 n2
sh "$lab" block n2 n1
begun_pes() { [ "$(pes)" -eq 4 ]; }
(srun -Q --mpi=pmix -w n1,n2 -N 2 -n 4 "$work/program" >out 2>err </dev/null) &
job=$!
wait_until begun_pes || fail "did not start: $(cat err)"
expect_end srun 'n[12]' '^skerry: PE [0-3]: node n[12] \(PEs [0-3]-[0-3]\) gets no answer from node n[12] \(PEs [0-3]-[0-3]\) within 7 s: .*; job stopped$'
sh "$lab" unblock n1 n2
sh "$lab" unblock n2 n1
clean_up

# A node that is only late. Slurm answers that its processes run.
export LATE=n3
begin srun
sleep 10
touch go
wait $job
code=$?
expect_code 0 "a late node"
[ "$(grep -c ' of 8 on n[1-4]$' out)" -eq 8 ] || fail "a late node: $(cat out)"
expect_silence
finish
