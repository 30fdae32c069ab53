#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# srun and mpirun start the PEs themselves. If the path between two nodes is cut, or a node dies, the job ends everywhere
# within some seconds, with one line that names both nodes. The nodes of the cut path need not be neighbours in the ring of the nodes. A
# node whose processes are stopped is not taken for dead. Skipped if this machine lacks Slurm or Open MPI.
# alone: yes
. "$(dirname "$0")/common.sh"
start_srun_and_mpirun
build_with_library path
limit=10000 # milliseconds

started() { grep -q ready "out.$1"; }
pes_of() { ps -eo stat=,args= | awk -v program="$work/path.$1" '$1 !~ /^Z/ && $2 == program' | wc -l; }
no_pe_left() { [ "$(pes_of "$1")" -eq 0 ]; }
nothing_left() { no_pe_left srun && no_pe_left mpirun && [ -z "$(ps -eo stat=,comm= | awk '$1 !~ /^Z/ && $2 ~ /^(srun|mpirun|orted|slurmstepd)$/')" ]; }
for launcher in srun mpirun; do ln path "path.$launcher"; done
begin() { # LAUNCHER WORD: starts a job and waits until it prints "ready"
    : >"out.$1"
    ("by_$1" "$work/path.$1" "$2" >"out.$1" 2>"err.$1") &
    eval "job_$1=\$!"
    wait_until started "$1" || wait_until started "$1" || fail "$1: did not start: $(cat "err.$1")"
}
told() { # LAUNCHER NODE NODE
    grep -Eq "^skerry: PE [0-7]: node ($2|$3) \(PEs [0-9]-[0-9]\) and node ($2|$3) \(PEs [0-9]-[0-9]\) cannot reach each other: no answer for 7 s; job stopped\$" "err.$1"
}
milliseconds() { echo $((($(date +%s%N) - begun) / 1000000)); }
expect_pes_end() { # LAUNCHER WHAT: within the limit after $begun
    until no_pe_left "$1" || [ "$(milliseconds)" -gt $((limit + 5000)) ]; do sleep 0.1; done
    took=$(milliseconds)
    [ "$took" -lt $limit ] || fail "$1, $2: the PEs have ended after $took ms"
}
expect_end() { # LAUNCHER NODE NODE JOB
    expect_pes_end "$1" "$2 and $3"
    # The launcher can pass the line on after the PEs have ended.
    wait_until told "$1" "$2" "$3" || fail "$1, $2 and $3: $(head -c 700 "err.$1")"
    wait "$4"
    code=$?
    [ $code -ne 0 ] || fail "$1, $2 and $3: exit code 0"
    [ "$(grep -c '^skerry: ' "err.$1")" -eq 1 ] || fail "$1, $2 and $3: more than one line: $(cat "err.$1")"
}

# A job of each launcher at the same time.
for pair in "n1 n3" "n2 n4" "n2 n3"; do
    word=ring # only the neighbours send, so the other paths have carried data at the start of the job only
    [ "$pair" = "n2 n3" ] || word=wait
    begin srun $word
    begin mpirun $word
    begun=$(date +%s%N)
    # shellcheck disable=SC2086
    cut_path $pair
    # shellcheck disable=SC2086,SC2154
    expect_end srun $pair $job_srun
    # shellcheck disable=SC2086,SC2154
    expect_end mpirun $pair $job_mpirun
    # shellcheck disable=SC2086
    heal_path $pair
    wait_until nothing_left || fail "$pair: left behind: $(ps -eo stat,args | grep -E '/path|srun|mpirun|orted')"
    await_idle_nodes
done

# The processes of a node are stopped for longer than a node may be silent.
begin srun ring
stopped=$(sh "$lab" on n2 pgrep -f "path.srun ring")
# shellcheck disable=SC2086
sh "$lab" on n2 kill -STOP $stopped
sleep 9
# shellcheck disable=SC2086
sh "$lab" on n2 kill -CONT $stopped
sleep 2
kill -0 "$job_srun" 2>/dev/null || fail "a stopped node has ended the job: $(cat err.srun)"
[ ! -s err.srun ] || fail "a stopped node: $(cat err.srun)"
scancel -u root
wait "$job_srun"
await_idle_nodes

# A node dies. The kernel of a node of the lab can close its connections before it dies, which other nodes notice at once.
begin srun wait
begun=$(date +%s%N)
sh "$lab" kill n4
expect_pes_end srun "a dead node"
scancel -u root
wait "$job_srun"
grep -Eq '^skerry: PE [0-5]: (PE 6, the first of node n4, has ended|node n[1-3] \(PEs [0-5]-[0-5]\) and node n4 \(PEs 6-7\) cannot reach each other: no answer for 7 s); job stopped$' err.srun ||
    fail "a dead node: $(head -c 700 err.srun)"
finish
