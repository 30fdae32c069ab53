#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# srun and mpirun start the PEs themselves, and a link or a path is cut before all of them have called shmem_init. The job
# ends some seconds after the cut, or after the start if the cut was earlier, with a line that names the node. A node that is only
# slow to start is not taken for dead. Skipped if this machine lacks Slurm or Open MPI.
# alone: yes
. "$(dirname "$0")/common.sh"
start_srun_and_mpirun
build_with_library program
build_with_library failing
limit=10000 # milliseconds after the cut, or after the start of the PEs if the cut was before

# Starts the program at once, except on the node LATE, where it waits for the file "go".
cat >late <<END
#!/bin/sh
[ "\$(hostname)" != "\$LATE" ] || until [ -e "$work/go" ]; do sleep 0.1; done
exec "\$@"
END
chmod +x late
pes() { ps -eo stat=,args= | awk -v work="$work/" '$1 !~ /^Z/ && ($2 == work "program" || $2 == work "failing")' | wc -l; }
has_pes() { [ "$(pes)" -eq "$1" ]; }
prefix="shmem_init: "

# Starts a job of 8 PEs, of which 2 wait on the node $LATE. Returns when the other 6 run, and have waited for 3 s.
begin() { # LAUNCHER [COMMAND]
    rm -f go
    # shellcheck disable=SC2086
    ("by_$1" "$work/late" ${2:-"$work/program"} >out 2>err) &
    job=$!
    wait_until has_pes 6 || wait_until has_pes 6 || fail "$1: did not start: $(cat err)"
    sleep 3
}
told() { # NODE PATTERN
    grep -Eq "^skerry: PE [0-7]: ${prefix}node n[1-4] \(PEs [0-9]-[0-9]\) waits for node $1 \(PEs [0-9]-[0-9]\), which does not answer: no sign of life for 7 s; job stopped\$${2:+|$2}" err
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
clean_up() {
    end_launchers
    wait $job 2>/dev/null
    wait_until has_pes 0 || fail "PEs are left"
    await_idle_nodes
}

for launcher in srun mpirun; do
    export LATE=n3
    begin $launcher
    sh "$lab" cut n3
    expect_end $launcher n3
    sh "$lab" heal n3
    clean_up
done

# No PE has called shmem_init.
prefix=
for launcher in srun mpirun; do
    begin $launcher "$work/failing all_late 0"
    sh "$lab" cut n3
    expect_end $launcher n3
    sh "$lab" heal n3
    clean_up
done
prefix="shmem_init: "

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
cut_path n1 n3
(by_srun "$work/program" >out 2>err) &
job=$!
wait_until begun_pes || fail "did not start: $(cat err)"
# Slurm possibly brings the addresses there by another way. Then the nodes watch the path itself.
expect_end srun n1 '^skerry: PE [0-7]: node n[13] \(PEs [0-9]-[0-9]\) gets no answer from node n[13] \(PEs [0-9]-[0-9]\) within 7 s: .*; job stopped$'
heal_path n1 n3
clean_up

# The same with two nodes: only the host of srun answers. Both nodes notice the cut, and one line appears.
begun_pes() { [ "$(pes)" -eq 4 ]; }
expect_one_line_of_two_nodes() { # WHAT
    (srun -Q --mpi=pmix -w n1,n2 -N 2 -n 4 "$work/program" >out 2>err </dev/null) &
    job=$!
    wait_until begun_pes || fail "$1: did not start: $(cat err)"
    expect_end srun 'n[12]' '^skerry: PE [0-3]: node n[12] \(PEs [0-3]-[0-3]\) gets no answer from node n[12] \(PEs [0-3]-[0-3]\) within 7 s: .*; job stopped$'
    [ "$(grep -c '^skerry: ' err)" -eq 1 ] || fail "$1: more than one line: $(cat err)"
}
cut_path n1 n2
expect_one_line_of_two_nodes "cut path"
heal_path n1 n2
clean_up
sh "$lab" reject n1 n2
expect_one_line_of_two_nodes "no route"
sh "$lab" on n1 ip route del unreachable 10.77.0.2
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
