# SPDX-License-Identifier: BSD-3-Clause
# Read by every test here. Runs the test again inside a lab of NODES nodes (4 unless the test sets it), where oshrun
# starts nodes by `lab.sh on` in place of ssh. The nodes share this machine's processors, so each PE counts on one.
hosts_folder=$(cd "$(dirname "$0")" && pwd)
lab=$hosts_folder/lab.sh
if [ -z "${LAB:-}" ]; then
    exec sh "$lab" run "${NODES:-4}" sh "$0" "$@"
fi
. "$hosts_folder/../launch/common.sh"
here=$hosts_folder
export SKERRY_SSH="sh $lab on"
export SKERRY_PROCESSORS=1

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

# Starts an ssh server on nodes n1 to nCOUNT, and lets oshrun use it. Skips the test if this machine has none.
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
