#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# If Open MPI's mpirun cannot start skerry-node on a host, oshrun's line names the host and the cause, and not mpirun's
# boxes of dashes. If a node has another skerry-node, no process and no folder of Open MPI is left, although mpirun still runs.
NODES=3
# waits: yes
. "$(dirname "$0")/common.sh"
command -v mpirun >/dev/null && mpirun --version 2>/dev/null | grep -q 'Open MPI' || skip "no mpirun of Open MPI"
build_with_library program
start_ssh_servers 2 # n3 has none
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_oob_tcp_if_include=10.77.0.0/24
export OMPI_MCA_orte_tmpdir_base="$work"

refused() { # HOST CAUSE
    run "$oshrun" --launcher mpirun --hosts "n1:1,$1:1" ./program
    expect_code 1 "$1"
    expect_line "oshrun: node $1: mpirun has not started skerry-node: $2"
}
refused nowhere 'ssh: Could not resolve hostname nowhere: *'
refused n3 'ssh: connect to host n3 port 22: Connection refused'
expect_nothing_left

node=$SKERRY_BIN/skerry-node
LC_ALL=C sed 's/0\.[0-9]*\.[0-9]*-[0-9a-f]\{8\}/0.0.0-00000000/g' "$node" >changed
chmod 755 changed
sh "$lab" on n2 cp changed /dev/shm/skerry-node
sh "$lab" on n2 mount --bind /dev/shm/skerry-node "$node"
for i in 1 2 3 4 5; do
    run "$oshrun" --launcher mpirun --hosts n1:1,n2:1 ./program
    expect_code 1 "another skerry-node"
    expect_line "oshrun: node n2 has version 0.0.0-00000000 of Skerry, and this oshrun is version *"
done
no_daemon_left() { ! ps -eo stat=,comm= | grep -v '^Z' | grep -q -e mpirun -e orted; }
wait_until no_daemon_left || fail "left behind: $(ps -eo pid,stat,args | grep -e mpirun -e orted)"
folders=$(find "$work" -name 'pid.*' -path '*/ompi.*')
[ -z "$folders" ] || fail "left behind: $folders"
finish
