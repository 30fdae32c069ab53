#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A PE waits in shmem_init, and asks Slurm which processes run (src/machine/linux/pe/slurm_tasks.c). Slurm does not answer, or
# not for all nodes, or says that a node has no process. For this question a program stands in for srun. The two PEs of n2 start
# late, or never. Skipped if this machine has no Slurm.
# waits: yes
NODES=2
. "$(dirname "$0")/common.sh"
[ -f "$SKERRY_BIN/../lib/skerry/start/pmix.so" ] || skip "this build has no module for PMIx (libpmix-dev)"
start_slurm 2
srun --mpi=list 2>&1 | grep -qw pmix || skip "this Slurm has no plugin for PMIx"
unset PMIX_NAMESPACE PMIX_RANK SKERRY_PMIX
export UCX_TLS=tcp,self
build_with_library program
mkdir stand-in
cat >stand-in/srun <<END
#!/bin/sh
trap '' TERM
echo asked >>"$work/asked"
case \$ANSWER in
some) printf 'PID JOBID STEPID LOCALID GLOBALID\n10 7 0 0 0\n11 7 0 1 1\nn1\n' ;;
absent) printf 'PID JOBID STEPID LOCALID GLOBALID\n10 7 0 0 0\n11 7 0 1 1\nn1\nn2\n'; exit 0 ;;
esac
exec sleep 987
END
cat >pe <<END
#!/bin/sh
[ "\$(hostname)" = n1 ] || sleep "\$LATE"
export PATH=$work/stand-in:\$PATH
exec "$work/program"
END
chmod +x stand-in/srun pe
job() { # ANSWER SECONDS: PEs of n2 are late by so many seconds; leaves $code, $took, out and err
    rm -f asked
    export ANSWER="$1" LATE="$2"
    timeout 90 srun -Q --mpi=pmix -w n1,n2 -N 2 -n 4 "$work/pe" >out 2>err </dev/null
    code=$?
    took=$(($(date +%s) - $(stat -c %Y asked 2>/dev/null || echo 0))) # since Slurm was asked last
}
expect_no_stand_in() { [ -z "$(ps -eo args= | grep '[s]leep 987')" ] || fail "$1: the stand-in is left"; }

# The question does not delay the start: it is given up when the other PEs have come.
for answer in hang some; do
    job $answer 7
    expect_code 0 "$answer"
    expect_silence
    [ -e asked ] || fail "$answer: Slurm was not asked"
    [ "$(grep -c ' of 4 on n[12]$' out)" -eq 4 ] || fail "$answer: $(cat out)"
    [ "$took" -lt 10 ] || fail "$answer: the job has ended $took s after the question" # the question has a limit of 10 s
    expect_no_stand_in $answer
done

# The answer names a node.
job absent 1000
expect_code 1 "absent"
grep -q '^skerry: PE 0: shmem_init: no process of this job runs on node n2: the program, or a library that it needs, is missing there, or it has ended without shmem_init$' err ||
    fail "absent: $(head -c 700 err)"
[ "$(wc -l <asked)" -eq 2 ] || fail "absent: Slurm was asked $(wc -l <asked) times"

# No answer within the limit, and the PEs of n2 do not come: the line does not say that the program is missing.
job some 1000
expect_code 1 "no answer"
grep -q '^skerry: PE 0: shmem_init: PE 0 has waited 65 seconds for the PEs on other nodes (n2); a PE there has not called shmem_init, has ended, or cannot be reached; all processes that the launcher starts must call it; Slurm does not say for all nodes which processes run$' err ||
    fail "no answer: $(head -c 900 err)"
expect_no_stand_in "no answer"
finish
