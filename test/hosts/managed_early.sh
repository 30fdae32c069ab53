#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# srun and mpirun start the PEs themselves. Before all PEs have called shmem_init, the PEs of a node end, a path is cut, or a
# node dies. The job ends within some seconds, with one line that names the nodes or the PE. A program in which no PE calls
# shmem_init, and a node that is only late, are no failures. Skipped if this machine lacks Slurm or Open MPI.
# alone: yes
. "$(dirname "$0")/common.sh"
start_srun_and_mpirun
build_with_library failing
limit=10000 # milliseconds

for launcher in srun mpirun; do ln failing "failing.$launcher"; done
pes_of() { ps -eo stat=,args= | awk -v program="$work/failing.$1" '$1 !~ /^Z/ && $2 == program' | wc -l; }
has_pes() { [ "$(pes_of "$1")" -eq "$2" ]; }
begin() { # LAUNCHER WORD...: starts a job
    launcher=$1
    shift
    ("by_$launcher" "$work/failing.$launcher" "$@" >"out.$launcher" 2>"err.$launcher") &
    eval "job_$launcher=\$!"
}
milliseconds() { echo $((($(date +%s%N) - begun) / 1000000)); }
expect_pes_end() { # LAUNCHER WHAT: within the limit after $begun
    until has_pes "$1" 0 || [ "$(milliseconds)" -gt $((limit + 5000)) ]; do sleep 0.1; done
    took=$(milliseconds)
    [ "$took" -lt $limit ] || fail "$2 by $1: the PEs have ended after $took ms"
}
# The time begins when the PEs of a launcher have started.
await_pes() { # LAUNCHER JOB
    until ! has_pes "$1" 0 || ! kill -0 "$2" 2>/dev/null; do sleep 0.05; done
    begun=$(date +%s%N)
}
expect_line_of() { # LAUNCHER PATTERN WHAT: only this line of Skerry
    told() { grep -Eq "^skerry: PE [0-7]: $pattern\$" "err.$launcher"; }
    launcher=$1 pattern=$2
    wait_until told || fail "$3 by $1: $(head -c 700 "err.$1")"
    [ "$(grep -c '^skerry: ' "err.$1")" -eq 1 ] || fail "$3 by $1: more than one line: $(cat "err.$1")"
}

# The PEs of a node end without shmem_init: the first node, or another one, at once or later. Then only one PE of a node.
for words in "node 4" "node 0" "node_late 4" "uninitialized_late 5" "uninitialized_late 1" "uninitialized 4" "uninitialized_late 4"; do
    # shellcheck disable=SC2086
    for launcher in srun mpirun; do begin $launcher $words; done
    # shellcheck disable=SC2154
    for job in "srun $job_srun" "mpirun $job_mpirun"; do
        await_pes "${job% *}" "${job#* }"
        expect_pes_end "${job% *}" "$words"
        wait "${job#* }"
        code=$?
        [ $code -ne 0 ] || fail "$words by ${job% *}: exit code 0"
        pe=${words#* }
        node=n$((pe / 2 + 1))
        case $words in node*) pe="($pe|$((pe + 1)))" ;; esac # both PEs of the node end
        expect_line_of "${job% *}" "PE $pe (on node $node )?has ended without shmem_init, and PE [0-7] waits for it; job stopped" "$words"
    done
    await_idle_nodes
done

# No PE calls shmem_init.
for launcher in srun mpirun; do begin $launcher never 0; done
for job in "srun $job_srun" "mpirun $job_mpirun"; do
    await_pes "${job% *}" "${job#* }"
    expect_pes_end "${job% *}" "no call"
    wait "${job#* }"
    code=$?
    [ $code -eq 0 ] || fail "no call by ${job% *}: exit code $code"
    [ ! -s "err.${job% *}" ] || fail "no call by ${job% *}: $(cat "err.${job% *}")"
done
await_idle_nodes

# A PE ends without shmem_init, and the other PE of its node has not called it. Slurm lets shmem_init of the others fail. mpirun does
# not.
for pe in 5 4; do
    begin srun alone $pe
    await_pes srun "$job_srun"
    expect_pes_end srun "alone $pe"
    wait "$job_srun"
    code=$?
    [ $code -ne 0 ] || fail "alone $pe: exit code 0"
    expect_line_of srun "PE $pe (on node n3 )?has ended without shmem_init, and PE [0-7] waits for it; job stopped" "alone $pe"
    await_idle_nodes
done

# All PEs of a node are killed before shmem_init. mpirun itself ends such a job. Slurm can end it too, and then no PE writes a line: srun
# ended after 3 s with exit code 137 in 2 of some 50 tries at a load of 45.
for pe in 0 4; do
    begin srun node_slain $pe
    await_pes srun "$job_srun"
    expect_pes_end srun "node_slain $pe"
    wait "$job_srun"
    code=$?
    [ $code -ne 0 ] || fail "node_slain $pe: exit code 0"
    node=n$((pe / 2 + 1))
    if [ $code -ne 137 ] || grep -q '^skerry: ' err.srun; then
        expect_line_of srun "(PE $pe on node $node has ended without shmem_init, and PE [0-7] waits for it; job stopped|shmem_init: no process of this job runs on node $node: the program, or a library that it needs, is missing there, or it has ended without shmem_init)" "node_slain $pe"
    fi
    await_idle_nodes
done

# The PEs of n3 are late, and a path is cut: of n3, or between nodes that wait.
begin_late() { # LAUNCHER...
    rm -f go
    for launcher in "$@"; do begin "$launcher" "${late:-late}" 4; done
    for launcher in "$@"; do wait_until has_pes "$launcher" 8 || wait_until has_pes "$launcher" 8 || fail "did not start: $(cat "err.$launcher")"; done
    sleep 2
    begun=$(date +%s%N)
}
clean_up() {
    end_launchers
    for job in "$@"; do wait "$job" 2>/dev/null; done
    await_idle_nodes
}
for words in "late n1 n3" "late n2 n4" "all_late n2 n4"; do
    late=${words%% *} pair=${words#* } # for the way "all_late" no PE has called shmem_init
    begin_late srun mpirun
    # shellcheck disable=SC2086
    cut_path $pair
    for launcher in srun mpirun; do
        expect_pes_end $launcher "$words"
        expect_line_of $launcher "node (${pair% *}|${pair#* }) \\(PEs [0-9]-[0-9]\\) and node (${pair% *}|${pair#* }) \\(PEs [0-9]-[0-9]\\) cannot reach each other: no answer for 7 s; job stopped" "$words"
    done
    # shellcheck disable=SC2086
    heal_path $pair
    clean_up "$job_srun" "$job_mpirun"
done

# No PE has called shmem_init, and the link of n3 is cut, or n3 dies. All PEs end, those of n3 too, although the launcher does not
# reach them. mpirun itself ends the job of a dead node. The launchers need up to 2 s more to end the PEs.
limit=13000
silent="(node n[1-4] \\(PEs [0-9]-[0-9]\\) and node n[1-4] \\(PEs [0-9]-[0-9]\\) cannot reach each other: no answer for 7 s|node n[1-4] \\(PEs [0-9]-[0-9]\\) waits for node n3 \\(PEs 4-5\\), which does not answer: no sign of life for 7 s); job stopped"
late=all_late
begin_late srun mpirun
sh "$lab" cut n3
for launcher in srun mpirun; do
    expect_pes_end $launcher "a cut link"
    expect_line_of $launcher "$silent" "a cut link"
done
sh "$lab" heal n3
clean_up "$job_srun" "$job_mpirun"
limit=10000
late=late

# n3 is only late.
begin_late srun
sleep 6
touch go
wait "$job_srun"
code=$?
[ $code -eq 0 ] || fail "a late node: exit code $code"
[ ! -s err.srun ] || fail "a late node: $(cat err.srun)"
await_idle_nodes

# n3 is late, and n4 dies.
begin_late srun
sh "$lab" kill n4
expect_pes_end srun "a dead node"
end_launchers # Slurm can wait for the dead node, and passes the line on only then
wait "$job_srun" 2>/dev/null
expect_line_of srun "(PE 6, the first of node n4, has ended|node n[1-4] \\(PEs [0-9]-[0-9]\\) and node n[1-4] \\(PEs [0-9]-[0-9]\\) cannot reach each other: no answer for 7 s); job stopped" "a dead node"

# No PE has called shmem_init, and n3 dies. (n4 is dead already.)
limit=13000
rm -f go
(srun -Q --mpi=pmix -w n1,n2,n3 -N 3 -n 6 "$work/failing.srun" all_late 0 >out.srun 2>err.srun </dev/null) &
job_srun=$!
wait_until has_pes srun 6 || wait_until has_pes srun 6 || fail "did not start: $(cat err.srun)"
sleep 2
begun=$(date +%s%N)
sh "$lab" kill n3
expect_pes_end srun "a dead node, no call"
scancel -u root
wait "$job_srun"
grep -Eq "^skerry: PE [0-3]: $silent\$" err.srun || fail "a dead node, no call: $(head -c 700 err.srun)"
end_launchers
finish
