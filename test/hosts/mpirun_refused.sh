#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# If Open MPI's mpirun cannot start skerry-node on a host, oshrun's line names the host and the cause, and not mpirun's
# boxes of dashes.
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
finish
