#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# mpirun starts jobs on two nodes of a cluster of namespaces (../hosts/lab.sh).
lab=$(cd "$(dirname "$0")/../hosts" && pwd)/lab.sh
if [ -z "${LAB:-}" ]; then
    . "$(dirname "$0")/mpirun.sh"
    [ -f "$SKERRY_BIN/../lib/skerry/network/ucx.so" ] || skip "this build has no module for UCX (libucx-dev)"
    cd "$here" || exit 1
    rm -rf "$work" # the test in the lab makes its own
    exec sh "$lab" run 2 sh "$here/nodes.sh"
fi
. "$(dirname "$0")/mpirun.sh"
hostname head
cat >agent <<END
#!/bin/sh
host=\$1
shift
exec sh "$lab" on "\$host" sh -c "\$*"
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

# The launcher reaches both nodes, but the nodes do not reach each other.
sh "$lab" block n1 n2
on_nodes 4 "$PWD/pe"
expect_code 1 "a firewall between the nodes"
grep -q "^skerry: PE 0: node n1 (PEs 0-1) gets no answer from node n2 (PEs 2-3) within 7 s: can the nodes reach each other's ports?.*; job stopped\$" err ||
    fail "a firewall between the nodes: $(head -c 700 err)"
wait_until no_pe_left || fail "a firewall between the nodes: processes are left"
sh "$lab" unblock n1 n2

# The connection between the nodes is cut. Both halves of the job end, although mpirun does not reach one of them.
mpirun -H n1:8,n2:8 --map-by node -x UCX_TLS -n 4 "$PWD/pe" pause >out 2>err </dev/null &
launcher=$!
all_wait() { [ "$(ps -eo args= | awk -v program="$PWD/pe" '$1 == program && $2 == "pause"' | wc -l)" -eq 4 ]; }
wait_until all_wait || fail "the job does not start"
sleep 1
sh "$lab" cut n2
wait_until no_pe_left || wait_until no_pe_left || fail "the connection is cut, and processes are left"
grep -q '^skerry: PE 0: node n1 (PEs 0-1) and node n2 (PEs 2-3) cannot reach each other: no answer for 7 s; job stopped$' err || fail "cut: $(head -c 500 err)"
kill -9 "$launcher" 2>/dev/null
finish
