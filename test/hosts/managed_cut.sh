#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# srun and mpirun start the PEs themselves. If the path between two nodes is cut, or a node dies, the job ends everywhere
# within some seconds, with one line that names both nodes. The nodes of the cut path need not be neighbours in the ring of the nodes. A
# node whose processes are stopped is not taken for dead. Skipped if this machine lacks Slurm or Open MPI.
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
build_with_library path
limit=20000 # milliseconds, for a machine with much other work; on another one it takes 6 to 10 s

by_srun() { exec srun -Q --mpi=pmix -w n1,n2,n3,n4 -N 4 -n 8 "$@" </dev/null; }
by_mpirun() { exec mpirun --host n1:2,n2:2,n3:2,n4:2 -n 8 --bind-to none "$@" </dev/null; }
started() { grep -q ready out; }
no_pe_left() { [ -z "$(ps -eo stat=,args= | awk '$1 !~ /^Z/ && /\/path (ring|wait)/ && !/awk|srun|mpirun|orted/')" ]; }
nothing_left() { no_pe_left && [ -z "$(ps -eo stat=,comm= | awk '$1 !~ /^Z/ && $2 ~ /^(srun|mpirun|orted|slurmstepd)$/')" ]; }
all_idle() { [ "$(sinfo -h -N -t idle 2>/dev/null | wc -l)" -eq 4 ]; }
cut_path() { # NODE NODE
    sh "$lab" block "$1" "$2"
    sh "$lab" block "$2" "$1"
}
begin() { # LAUNCHER WORD: starts a job and waits until it prints "ready"
    : >out
    (by_"$1" "$work/path" "$2" >out 2>err) &
    job=$!
    wait_until started || wait_until started || fail "$1: did not start: $(cat err)"
}
told() { # NODE NODE
    grep -Eq "^skerry: PE [0-7]: node ($1|$2) \(PEs [0-9]-[0-9]\) and node ($1|$2) \(PEs [0-9]-[0-9]\) cannot reach each other: no answer for 7 s; job stopped\$" err
}
expect_end() { # LAUNCHER NODE NODE
    begun=$(date +%s%N)
    until no_pe_left || [ $((($(date +%s%N) - begun) / 1000000)) -gt $((limit + 5000)) ]; do sleep 0.1; done
    milliseconds=$((($(date +%s%N) - begun) / 1000000))
    [ "$milliseconds" -lt "$limit" ] || fail "$1, $2 and $3: the PEs have ended after $milliseconds ms"
    # The launcher can pass the line on after the PEs have ended.
    wait_until told "$2" "$3" || fail "$1, $2 and $3: $(head -c 700 err)"
}

for launcher in srun mpirun; do
    for pair in "n1 n3" "n2 n4" "n2 n3"; do
        word=ring # only the neighbours send, so the other paths have carried data at the start of the job only
        [ "$pair" = "n2 n3" ] || word=wait
        begin $launcher $word
        # shellcheck disable=SC2086
        cut_path $pair
        # shellcheck disable=SC2086
        expect_end $launcher $pair
        wait $job
        code=$?
        [ $code -ne 0 ] || fail "$launcher, $pair: exit code 0"
        [ "$(grep -c '^skerry: ' err)" -eq 1 ] || fail "$launcher, $pair: more than one line: $(cat err)"
        # shellcheck disable=SC2086
        sh "$lab" unblock ${pair% *} ${pair#* }
        # shellcheck disable=SC2086
        sh "$lab" unblock ${pair#* } ${pair% *}
        wait_until nothing_left || fail "$launcher, $pair: left behind: $(ps -eo stat,args | grep -E '/path|srun|mpirun|orted')"
        [ $launcher = mpirun ] || wait_until all_idle || fail "not idle: $(sinfo -N)"
    done
done

# The processes of a node are stopped for longer than a node may be silent.
begin srun ring
stopped=$(sh "$lab" on n2 pgrep -x path)
# shellcheck disable=SC2086
sh "$lab" on n2 kill -STOP $stopped
sleep 9
# shellcheck disable=SC2086
sh "$lab" on n2 kill -CONT $stopped
sleep 2
kill -0 $job 2>/dev/null || fail "a stopped node has ended the job: $(cat err)"
expect_silence
scancel -u root
wait $job
wait_until all_idle || wait_until all_idle || fail "not idle: $(sinfo -N)"

# A node dies. The kernel of a node of the lab can close its connections before it dies, which other nodes notice at once.
begin srun wait
sh "$lab" kill n4
begun=$(date +%s%N)
until no_pe_left || [ $((($(date +%s%N) - begun) / 1000000)) -gt $((limit + 5000)) ]; do sleep 0.1; done
milliseconds=$((($(date +%s%N) - begun) / 1000000))
[ "$milliseconds" -lt "$limit" ] || fail "a dead node: the PEs have ended after $milliseconds ms"
scancel -u root
wait $job
grep -Eq '^skerry: PE [0-5]: (PE 6, the first of node n4, has ended|node n[1-3] \(PEs [0-5]-[0-5]\) and node n4 \(PEs 6-7\) cannot reach each other: no answer for 7 s); job stopped$' err ||
    fail "a dead node: $(head -c 700 err)"
finish
