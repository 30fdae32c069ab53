#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# If the link of a node is cut that Open MPI's mpirun has started for oshrun, no process of mpirun is left on the nodes.
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
sh "$lab" cut n2
wait $job
code=$?
expect_code 1
expect_line 'oshrun: node n2 (PEs 2-3) does not answer: no sign of life for 7 s; job stopped'
wait_until no_daemon_left || wait_until no_daemon_left || fail "left behind: $(ps -eo pid,stat,args | grep -e mpirun -e orted)"
expect_nothing_left
finish
