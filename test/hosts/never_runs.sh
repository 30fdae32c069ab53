#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# srun or mpirun starts the processes, and one of them never runs the program: it runs `true`, or a program that lasts. If it has
# ended, the job ends within half a minute, otherwise after a minute. One line names the process's node, also if a whole node runs
# another program. Processes that only start late are no failure. Skipped if this machine lacks Slurm or Open MPI.
# alone: yes
. "$(dirname "$0")/common.sh"
start_srun_and_mpirun
build_with_library program

# Runs another command in place of the program in the process with the rank WHO.
cat >except <<'END2'
#!/bin/sh
who=$1 other=$2
shift 2
[ "$PMIX_RANK" != "$who" ] || eval "exec $other"
exec "$@"
END2
chmod +x except
LIMIT="timeout -k 5 100"
job() { # LAUNCHER RANK COMMAND: leaves $code, $took, out and err
    launcher=$1
    begun=$(date +%s)
    by_"$launcher" "$work/except" "$2" "$3" "$work/program" >out 2>err
    code=$?
    took=$(($(date +%s) - begun))
}
fails() { # WHAT SECONDS PATTERN
    [ "$code" -ne 0 ] || fail "$launcher, $1: exit code 0"
    [ "$took" -le "$2" ] || fail "$launcher, $1: the job has taken $took s"
    grep -q "^skerry: PE [0-7]: $3\$" err || fail "$launcher, $1: $(head -c 700 err)"
    [ "$(grep -c '^skerry: ' err)" -eq 1 ] || fail "$launcher, $1: more than one line: $(grep '^skerry: ' err)"
}
# A whole node runs another program: only this node is named. Runs beside the other jobs.
cat >except_node <<'END2'
#!/bin/sh
[ "$(uname -n)" != "$1" ] || exec true
shift
exec "$@"
END2
chmod +x except_node
# Two mpiruns that begin at the same time can fail as both make the same folder, so each has a place of its own.
for node in n3 n1; do
    mkdir "session.$node"
    (export OMPI_MCA_orte_tmpdir_base="$work/session.$node"
     by_mpirun "$work/except_node" $node "$work/program" >"out.$node" 2>"err.$node") &
    eval "job_$node=\$!"
done

for launcher in srun mpirun; do
    for rank in 5 2; do # the second process of n3, and the first of n2
        job $launcher $rank true
        fails "true as $rank" 30 "the process of PE $rank on node n$((rank / 2 + 1)) has ended before it joined the job; all processes that the launcher starts must run this program"
    done
    # The process is only late.
    job $launcher 5 "sh -c 'sleep 7; exec $work/program'"
    expect_code 0 "$launcher, a late process"
    [ "$(grep -c ' of 8 on n[1-4]$' out)" -eq 8 ] || fail "$launcher, a late process: $(cat out)"
    expect_silence
done
job srun 7 "sleep 1000"
fails "sleep as 7" 75 '1 of the 2 processes of node n4 have not started within 60 seconds (PE 7); all processes that the launcher starts must run this program'

# shellcheck disable=SC2154
for job in "n3 $job_n3 65" "n1 $job_n1 75"; do
    set -- $job
    wait "$2"
    code=$? took=0 launcher=mpirun
    cp "err.$1" err
    fails "true on $1" 1 "shmem_init: PE [0-7] has waited $3 seconds for the PEs on other nodes ($1); a PE there has not called shmem_init, has ended, or cannot be reached; all processes that the launcher starts must call it"
done
finish
