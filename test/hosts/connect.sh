#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Nodes that a launcher without pipes has started connect to oshrun by TCP. Nobody else can join the job: a connection
# without the job's key is closed, and does not disturb the job. Nodes that cannot connect to each other end the job.
# waits: yes
. "$(dirname "$0")/common.sh"
build_with_library program
build_with_library failing
make_mpirun

run "$oshrun" --launcher mpirun --stats --hosts n2:2,n1:1,n3:1 ./program
expect_code 0
[ "$(sort out)" = "0 of 4 on n2
1 of 4 on n2
2 of 4 on n1
3 of 4 on n3" ] || fail "places: $(sort out) $(cat err)"
grep -q 'started by mpirun' err || fail "$(cat err)"
run "$oshrun" --launcher mpirun --hosts n1:2,n2:2,n3:1 ./failing crash 3
expect_code 139
expect_line 'oshrun on n2: PE 3 (process *) was killed by signal 11*'

# A stranger connects first, and says something else than the key or nothing at all.
cat >stranger.py <<'END'
import os, socket, subprocess, sys
words = os.environ["SKERRY_NODE_LAUNCHER"].split()
for text in (b"", b"x" * 16, b"\1skerry-node frames\n"):
    connection = socket.create_connection(("127.0.0.1", int(words[1])))
    connection.sendall(text)
    if text[:1] == b"x":
        assert len(connection.recv(8)) == 8
        assert connection.recv(1) == b"", "a stranger was let in"
    else:
        os.set_inheritable(connection.fileno(), True)
    os.dup(connection.fileno())
os.execv(os.path.join(os.path.dirname(sys.argv[0]), "honest"), ["mpirun"] + sys.argv[1:])
END
mv mpirun honest
printf '#!/bin/sh\nexec python3 "%s/stranger.py" "$@"\n' "$work" >mpirun
chmod +x mpirun
run "$oshrun" --launcher mpirun --hosts n1:1,n2:1 ./program
expect_code 0 strangers
[ "$(sort out)" = "0 of 2 on n1
1 of 2 on n2" ] || fail "beside strangers: $(sort out) $(cat err)"

# A process that is stopped answers no connection. This ends no job, however long it takes: its kernel answers.
mv honest mpirun
: >out
"$oshrun" --hosts n1:2,n2:1,n3:1 ./program stop >out 2>err &
job=$!
stopped() { ps -eo pid=,stat=,args= | awk '$2 ~ /^T/ && $3 == "./program" && $4 == "stop" { print $1 }'; }
is_stopped() { [ -n "$(stopped)" ]; }
wait_until is_stopped || fail "no PE has stopped: $(cat err)"
sleep 20
kill -CONT "$(stopped)" || fail "the job has not waited for the stopped PE"
wait "$job"
code=$?
expect_code 0 stopped
expect_silence

# The launcher reaches the nodes, but they do not reach each other. One line names both nodes.
sh "$lab" block n1 n2
sh "$lab" reject n3 n4
UCX='skerry: PE [0-3]: network (UCX): node n'
UNREACHED='oshrun: node n'
check_dropped() { # a connection has packets in both directions, so either node can be the first that ends the job
    run "$oshrun" --hosts n1:2,n2:2 "$work/program"
    expect_code 1 dropped
    expect_line "${UNREACHED}[12] (PEs *) gets no answer from node n[12] (PEs *) within 7 s: *"
}
check_dropped_without_waiting() { # whether UCX waits in connect() or not
    UCX_TCP_CONN_NB=y run "$oshrun" --hosts n1:1,n2:1 "$work/program"
    expect_code 1 "dropped, UCX_TCP_CONN_NB=y"
    expect_line "${UNREACHED}[12] (PE [01]) gets no answer from node n[12] (PE [01]) within 7 s: *"
}
check_dropped_by_launcher() {
    run "$oshrun" --launcher mpirun --hosts n2:1,n1:1 "$work/program"
    expect_code 1 "dropped, started by mpirun"
    expect_line "${UNREACHED}[12] (PE [01]) gets no answer from node n[12] (PE [01]) within 7 s: *firewall*UCX_NET_DEVICES*"
}
check_rejected() {
    run "$oshrun" --hosts n3:1,n4:1 "$work/program"
    expect_code 1 rejected
    drop_ucx_lines
    expect_line "${UCX}3 (PE 0) cannot connect to node n4 (PE 1): *firewall*"
}
check_no_common_network() {
    UCX_NET_DEVICES=lo run "$oshrun" --hosts n1:1,n3:2 "$work/program"
    expect_code 1 "no common network"
    drop_ucx_lines
    expect_line "${UCX}1 (PE 0) cannot connect to node n3 (PEs 1-2): *UCX_NET_DEVICES=lo*"
}
check_no_such_device() {
    UCX_NET_DEVICES=eth9 run "$oshrun" --hosts n1:1,n3:1 "$work/program"
    expect_code 1 "no such device"
    drop_ucx_lines
    expect_line "${UCX}[13] (PE [01]) cannot connect to node n[13] (PE [01]): UCX_NET_DEVICES=eth9: node n[13] has no such device; it has: *eth0*"
}
check_no_transport() { # UCX writes a warning if a variable has no effect
    UCX_TLS=posix,self run "$oshrun" --hosts n1:1,n3:1 "$work/program"
    expect_code 1 "no transport between nodes"
    ! grep 'unused env' out err || fail "UCX warns of a variable that the user has not set"
    drop_ucx_lines
    expect_line "${UCX}[13] (PE [01]) cannot connect to node n[13] (PE [01]): *(UCX_TLS=posix,self): *"
}
begun=$(date +%s)
together rejected no_common_network no_such_device no_transport
[ $(($(date +%s) - begun)) -lt 9 ] || fail "ended after $(($(date +%s) - begun)) s"
begun=$(date +%s)
together dropped dropped_by_launcher dropped_without_waiting
[ $(($(date +%s) - begun)) -lt 15 ] || fail "ended after $(($(date +%s) - begun)) s"
sh "$lab" unblock n1 n2
run "$oshrun" --hosts n1:1,n2:1 ./program
expect_code 0 "no longer blocked"

printf '#!/bin/sh\necho no such partition >&2\nexit 3\n' >mpirun
run "$oshrun" --launcher mpirun --hosts n1:1,n2:1 ./program
expect_code 1
expect_line 'oshrun: mpirun has not started all nodes: no such partition'
cat >mpirun <<'END'
#!/bin/sh
dashes=--------------------------------------------------------------------------
printf '%s\nThere are not enough slots available\nin the system.\n\nEither request fewer.\n%s\n' $dashes $dashes >&2
exit 1
END
run "$oshrun" --launcher mpirun --hosts n1:1,n2:1 ./program
expect_line 'oshrun: mpirun has not started all nodes: There are not enough slots available in the system.'
rm mpirun
PATH=/bin:/usr/bin run "$oshrun" --launcher prterun --hosts n1:1,n2:1 ./program
expect_code 127
expect_line 'oshrun: cannot start prterun: No such file or directory'
expect_nothing_left
finish
