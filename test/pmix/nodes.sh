#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpirun starts jobs on two nodes. The nodes are network and host name namespaces, connected by a pair of interfaces.
if [ -z "${SKERRY_TEST_NODES:-}" ]; then
    . "$(dirname "$0")/mpirun.sh"
    [ "$(id -u)" -eq 0 ] || skip "needs root, to make nodes of namespaces"
    command -v ip >/dev/null || skip "no ip (iproute2)"
    unshare -n -m -u true 2>/dev/null || skip "namespaces are not allowed here"
    [ -f "$SKERRY_BIN/../lib/skerry/network/ucx.so" ] || skip "this build has no module for UCX (libucx-dev)"
    cd "$here" || exit 1
    rm -rf "$work" # the test in the namespaces makes its own
    SKERRY_TEST_NODES=1 exec unshare -n -m -u --kill-child --fork sh "$here/nodes.sh"
fi
. "$(dirname "$0")/mpirun.sh"

# make_node NUMBER: a node whose processes are started by ./agent
make_node() {
    unshare -n -u sh -c "hostname n$1; echo \$\$ >n$1.pid; exec sleep 1000" &
    nodes="${nodes:-} $!"
    wait_until test -s "n$1.pid" || exit 1
    ip link add "v$1" type veth peer name eth0 netns "$(cat "n$1.pid")"
    ip link set "v$1" master bridge up
    nsenter -t "$(cat "n$1.pid")" -n sh -c "ip addr add 10.77.0.$1/24 dev eth0; ip link set eth0 up; ip link set lo up"
    echo "10.77.0.$1 n$1" >>hosts
}

hostname head
ip link set lo up
ip link add bridge type bridge || skip "no bridges in this kernel"
ip addr add 10.77.0.254/24 dev bridge
ip link set bridge up
printf '127.0.0.1 localhost\n10.77.0.254 head\n' >hosts
nodes=
make_node 1
make_node 2
trap 'kill -9 $nodes 2>/dev/null; rm -rf "$work"' EXIT
mount --bind hosts /etc/hosts
cat >agent <<END
#!/bin/sh
host=\$1
shift
exec nsenter -t "\$(cat "$PWD/\$host.pid")" -n -u sh -c "\$*"
END
chmod +x agent
OMPI_MCA_plm=rsh
OMPI_MCA_plm_rsh_agent=$PWD/agent
OMPI_MCA_plm_rsh_no_tree_spawn=1
OMPI_MCA_oob_tcp_if_include=10.77.0.0/24
OMPI_MCA_ras=^slurm
export OMPI_MCA_plm OMPI_MCA_plm_rsh_agent OMPI_MCA_plm_rsh_no_tree_spawn OMPI_MCA_oob_tcp_if_include OMPI_MCA_ras
UCX_TLS=tcp,self
export UCX_TLS

# on_nodes PES COMMAND...: runs a job on both nodes; leaves $code, out and err
on_nodes() {
    pes=$1
    shift
    run mpirun -H n1:8,n2:8 --map-by node -x UCX_TLS -n "$pes" "$@" </dev/null
    sort -o out out
}

on_nodes 2 "$PWD/pe"
expect_work 2 "a PE on each node"

# Ranks alternate between the nodes, and the PEs of a node are consecutive: ranks 0, 2, 4 are PEs 0, 1, 2 on n1.
on_nodes 5 sh -c "'$PWD/pe' | sed \"s/\$/ rank \$PMIX_RANK on \$(hostname)/\""
expect_code 0 "alternating ranks"
expect_out "PE 0 of 5 rank 0 on n1
PE 1 of 5 rank 2 on n1
PE 2 of 5 rank 4 on n1
PE 3 of 5 rank 1 on n2
PE 4 of 5 rank 3 on n2"

on_nodes 4 "$PWD/pe" sessions
expect_code 0 "two sessions"
expect_out "$(printf '%s\n%s\n' "$(work_of 4)" "$(work_of 4)" | sort)"

on_nodes 4 "$PWD/pe" exit
expect_code 7 "exit on two nodes"
expect_skerry_line 'PE 1: exited with code 7; job stopped' "exit on two nodes"
wait_until no_pe_left || fail "exit on two nodes: processes are left"

on_nodes 4 sh -c "[ \$(hostname) = n2 ] && export SHMEM_SYMMETRIC_SIZE=32m; exec '$PWD/pe'"
expect_code 1 "different heaps on two nodes"
grep -q 'SHMEM_SYMMETRIC_SIZE: the symmetric heap has [0-9]* bytes on PE [0-3] and [0-9]* on PE [0-3]; it must' err ||
    fail "different heaps on two nodes: $(head -c 500 err)"
wait_until no_pe_left || fail "different heaps on two nodes: processes are left"

on_nodes 4 "$PWD/pe" kill
expect_code 137 "killed on two nodes"
wait_until no_pe_left || fail "killed on two nodes: processes are left"

# The connection between the nodes is cut. Both halves of the job end, although mpirun does not reach one of them.
mpirun -H n1:8,n2:8 --map-by node -x UCX_TLS -n 4 "$PWD/pe" pause >out 2>err </dev/null &
launcher=$!
all_wait() { [ "$(ps -eo args= | awk -v program="$PWD/pe" '$1 == program && $2 == "pause"' | wc -l)" -eq 4 ]; }
wait_until all_wait || fail "the job does not start"
sleep 1
ip link set v2 down
wait_until no_pe_left || wait_until no_pe_left || fail "the connection is cut, and processes are left"
grep -q '^skerry: PE 0: the node of PE 2 has ended, or cannot be reached; job stopped$' err || fail "cut: $(head -c 500 err)"
kill -9 "$launcher" 2>/dev/null
ps -eo pid=,args= | awk -v agent="$PWD/agent" '$2 == "orted" && index($0, agent) { print $1 }' | xargs -r kill -9
finish
