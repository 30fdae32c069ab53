# SPDX-License-Identifier: BSD-3-Clause
# Read by every test here. Runs the test again inside a lab of NODES nodes (4 unless the test sets it), where oshrun
# starts nodes by `lab.sh on` in place of ssh.
hosts_folder=$(cd "$(dirname "$0")" && pwd)
lab=$hosts_folder/lab.sh
if [ -z "${LAB:-}" ]; then
    exec sh "$lab" run "${NODES:-4}" sh "$0" "$@"
fi
. "$hosts_folder/../launch/common.sh"
here=$hosts_folder
export SKERRY_SSH="sh $lab on"

# Removes the lines of UCX's log from the file err, for errors that UCX reports too. They must not be in the file out.
drop_ucx_lines() {
    ! grep ' UCX  *[A-Z]' out || fail "UCX writes to standard output"
    sed -i '/^\[[0-9.]*\] \[[^]]*\] .* UCX  *[A-Z]/d' err
}

# Builds a program with the library.
build_with_library() {
    "$SKERRY_BIN/oshcc" -O1 -g "$here/$1.c" -o "$1" || exit 1
}

# Succeeds if no process of a job is left on any node or here.
left() { ps -eo stat=,args= | awk '$1 !~ /^Z/ && /oshrun|skerry-node|job-keeper|\.\/(program|failing)/ && !/awk/'; }
nothing_left() { [ -z "$(left)" ]; }
expect_nothing_left() { wait_until nothing_left || fail "left behind: $(left | head -3)"; }

# Makes ./mpirun, which starts one process on each host of "--host n1:1,n2:1", as Open MPI's does. The processes connect
# to oshrun through the network of the lab, and not by pipes.
make_mpirun() {
    cat >mpirun <<'END'
#!/bin/sh
while [ "$1" != skerry-node ] && [ "${1##*/}" != skerry-node ]; do
    [ "$1" != --host ] || hosts=$2
    shift
done
for host in $(echo "$hosts" | sed 's/:[0-9]*//g; s/,/ /g'); do
    sh "$LAB_SCRIPT" on "$host" "$@" </dev/null &
done
wait
END
    chmod +x mpirun
    export LAB_SCRIPT="$lab"
    PATH=$work:$PATH
}

# Starts an ssh server on nodes n1 to nCOUNT, and lets oshrun use it. Skips the test if this machine has none. With
# SHLVL=1 Debian's bash does not read the user's .bashrc, which can take seconds.
start_ssh_servers() { # COUNT
    [ -x /usr/sbin/sshd ] && command -v ssh >/dev/null || skip "no ssh server on this machine"
    unset SKERRY_SSH
    chmod 700 .
    ssh-keygen -q -t ed25519 -N '' -f host_key
    ssh-keygen -q -t ed25519 -N '' -f user_key
    cp user_key.pub authorized
    cat >sshd.conf <<END
HostKey $work/host_key
AuthorizedKeysFile $work/authorized
PermitRootLogin yes
StrictModes no
UsePAM no
PidFile none
SetEnv SHLVL=1
END
    mkdir -p bin
    printf '#!/bin/sh\nexec /usr/bin/ssh -F none -i %s/user_key -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR "$@"\n' "$work" >bin/ssh
    chmod +x bin/ssh
    PATH=$work/bin:$PATH
    mkdir -p /run/sshd
    for i in $(seq "$1"); do
        sh "$lab" on "n$i" /usr/sbin/sshd -D -f "$work/sshd.conf" 2>"n$i.log" &
    done
    ssh_ready() { for i in $(seq "$ssh_servers"); do ssh "n$i" true 2>/dev/null || return 1; done; }
    ssh_servers=$1
    wait_until ssh_ready || skip "the ssh server does not run: $(cat n1.log)"
}

# Starts Slurm's daemons: the controller here, and a slurmd on each of the nodes n1 to nCOUNT. Skips the test if this
# machine has no Slurm. The nodes share /tmp, and Slurm's plugin for PMIx needs a folder for each node, so TmpFS names
# one in /dev/shm.
start_slurm() { # COUNT
    command -v slurmctld >/dev/null && command -v slurmd >/dev/null && command -v salloc >/dev/null || skip "no Slurm on this machine"
    [ "$(id -u)" = 0 ] || skip "Slurm's daemons need root"
    hostname head
    echo "10.77.0.254 head" >>/etc/hosts
    mkdir state
    cat >slurm.conf <<END
ClusterName=lab
SlurmctldHost=head(10.77.0.254)
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$work/state
SlurmdSpoolDir=/dev/shm/slurmd
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=/dev/shm/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=/dev/shm/slurmd.log
ReturnToService=2
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
TmpFS=/dev/shm
$(for i in $(seq "$1"); do echo "NodeName=n$i NodeAddr=10.77.0.$i CPUs=4 State=UNKNOWN"; done)
PartitionName=all Nodes=$(seq -s, -f n%g "$1") Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF="$work/slurm.conf"
    slurmctld -D >slurmctld.out 2>&1 &
    for i in $(seq "$1"); do
        sh "$lab" on "n$i" sh -c "mkdir -p /dev/shm/slurmd; SLURM_CONF=$SLURM_CONF exec slurmd -D -N n$i" >"n$i.log" 2>&1 &
    done
    slurm_nodes=$1
    idle() { [ "$(sinfo -h -N -t idle 2>/dev/null | wc -l)" -eq "$slurm_nodes" ]; }
    wait_until idle || wait_until idle ||
        skip "Slurm does not run here: $(sinfo 2>&1 | tail -2) $(tail -1 slurmctld.out n1.log)"
}

# Lets srun and mpirun start PEs on the nodes n1 to n4: by_srun and by_mpirun run a command as 8 PEs, 2 on each node. Skips the
# test if this machine lacks Slurm or Open MPI.
start_srun_and_mpirun() {
    [ -f "$SKERRY_BIN/../lib/skerry/start/pmix.so" ] || skip "this build has no module for PMIx (libpmix-dev)"
    command -v mpirun >/dev/null && mpirun --version 2>/dev/null | grep -q 'Open MPI' || skip "no mpirun of Open MPI"
    start_ssh_servers 4
    start_slurm 4
    srun --mpi=list 2>&1 | grep -qw pmix || skip "this Slurm has no plugin for PMIx"
    unset PMIX_NAMESPACE PMIX_RANK SKERRY_PMIX
    export UCX_TLS=tcp,self OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    export OMPI_MCA_oob_tcp_if_include=10.77.0.0/24 OMPI_MCA_orte_tmpdir_base="$work"
}
# LATE is a variable of some tests, which mpirun must pass on; LIMIT is a command with a limit of time.
by_srun() { ${LIMIT:-} srun -Q --mpi=pmix -w n1,n2,n3,n4 -N 4 -n 8 "$@" </dev/null; }
# Open MPI's own messages go to a file: on a busy machine mpirun warns of a race between its processes (setpgid).
by_mpirun() {
    OPAL_OUTPUT_STDERR_FD=9 ${LIMIT:-} mpirun ${LATE:+-x LATE} --host n1:2,n2:2,n3:2,n4:2 -n 8 --bind-to none "$@" \
        </dev/null 9>>"$work/mpirun.log"
}
cut_path() { # NODE NODE: loses all packets between them
    sh "$lab" block "$1" "$2"
    sh "$lab" block "$2" "$1"
}
heal_path() { # NODE NODE
    sh "$lab" unblock "$1" "$2"
    sh "$lab" unblock "$2" "$1"
}

# Ends the launchers, which wait for a node that is cut off or dead (docs/guide/clusters.md).
end_launchers() {
    scancel -u root 2>/dev/null
    for process in $(pgrep -x 'mpirun|orted'); do kill -9 "$process" 2>/dev/null; done
}
all_idle() { [ "$(sinfo -h -N -t idle 2>/dev/null | wc -l)" -eq 4 ]; }
await_idle_nodes() { wait_until all_idle || wait_until all_idle || fail "not idle: $(sinfo -N)"; }
