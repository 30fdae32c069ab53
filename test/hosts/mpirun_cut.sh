#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# If the link of a node is cut that Open MPI's mpirun has started, no process of mpirun is left on the nodes: for oshrun, and
# for PEs that mpirun itself starts with the options that docs/guide/clusters.md names. If the link was cut before the start,
# oshrun names the node.
# waits: yes
. "$(dirname "$0")/common.sh"
command -v mpirun >/dev/null && mpirun --version 2>/dev/null | grep -q 'Open MPI' || skip "no mpirun of Open MPI"
build_with_library program
start_ssh_servers 3
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_oob_tcp_if_include=10.77.0.0/24
export OMPI_MCA_orte_tmpdir_base="$work"

started() { grep -q waits out; }
no_daemon_left() { ! ps -eo stat=,comm= | grep -v '^Z' | grep -q -e mpirun -e orted; }
: >out
"$oshrun" --launcher mpirun --hosts n1:2,n2:2,n3:1 "$work/program" wait 1000 >out 2>err &
job=$!
wait_until started || wait_until started || fail "did not start: $(cat err)"
tr '\0' ' ' <"/proc/$(pgrep -x orted | head -1)/cmdline" | grep -q oob_tcp_keepalive_time || fail "the daemons of mpirun do not watch the links"
sh "$lab" cut n2
wait $job
code=$?
expect_code 1
expect_line 'oshrun: node n2 (PEs 2-3) does not answer: no sign of life for 7 s; job stopped'
expect_no_daemon() {
    wait_until no_daemon_left || wait_until no_daemon_left || fail "left behind: $(ps -eo pid,stat,args | grep -e mpirun -e orted)"
    expect_nothing_left
}
expect_no_daemon
folders=$(find "$work" -name 'pid.*' -path '*/ompi.*')
[ -z "$folders" ] || fail "left behind: $folders"

# The link was cut before the start: mpirun waits for ssh, and oshrun says which node does not answer.
begun=$(date +%s)
timeout -s INT 20 "$oshrun" --launcher mpirun --hosts n1:2,n2:2,n3:1 "$work/program" >out 2>err &
job=$!
told() { grep -q '^oshrun: waits for node n2: no answer at port 9, 22 or 6818; the host is down or cut off, or a firewall drops the questions$' err; }
wait_until told || wait_until told || fail "cut before the start: $(cat err)"
took=$(($(date +%s) - begun))
[ "$took" -lt 10 ] || fail "cut before the start: a line after $took s"
wait $job
expect_no_daemon
sh "$lab" heal n2

[ -f "$SKERRY_BIN/../lib/skerry/start/pmix.so" ] || skip "this build has no module for PMIx (libpmix-dev)"
unset PMIX_NAMESPACE PMIX_RANK SKERRY_PMIX
export UCX_TLS=tcp,self
: >out
timeout 60 mpirun --mca oob_tcp_keepalive_time 2 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 3 \
    --host n1:2,n2:2 -n 4 "$work/program" wait 1000 >out 2>err &
job=$!
wait_until started || wait_until started || fail "PEs of mpirun did not start: $(cat err)"
sh "$lab" cut n2
begun=$(date +%s)
wait $job
code=$?
took=$(($(date +%s) - begun))
[ "$code" -ne 0 ] && [ "$code" -ne 124 ] || fail "mpirun ended with code $code"
[ "$took" -lt 12 ] || fail "mpirun ended after $took s"
expect_no_daemon
finish
