#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# If skerry-node is missing or not usable on a node, and srun or mpirun starts the nodes, oshrun ends soon, with one line
# that names this node and the file.
NODES=4
# waits: yes
. "$(dirname "$0")/common.sh"
command -v mpirun >/dev/null && mpirun --version 2>/dev/null | grep -q 'Open MPI' || skip "no mpirun of Open MPI"
build_with_library program
start_ssh_servers 4
start_slurm 4
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_oob_tcp_if_include=10.77.0.0/24
export OMPI_MCA_orte_tmpdir_base="$work"
file=$SKERRY_BIN/skerry-node

refused() { # NODE LAUNCHER WHAT PATTERN
    begun=$(date +%s)
    run "$oshrun" --launcher "$2" --hosts n1:2,n2:1,n3:2,n4:1 ./program
    seconds=$(($(date +%s) - begun))
    expect_code 1 "$2, $3"
    expect_line "oshrun: node $1: skerry-node did not start ($2): $4"
    [ "$seconds" -le 25 ] || fail "$2, $3: ended after $seconds seconds"
    expect_nothing_left
}
missing="$file: missing, empty or not executable"
: >empty
printf '\177ELF broken' >broken
chmod +x empty broken
for launcher in srun mpirun; do
    sh "$lab" on n3 mount -t tmpfs nothing "$SKERRY_BIN"
    refused n3 $launcher "no folder" "$missing"
    sh "$lab" on n3 umount -l "$SKERRY_BIN"
    sh "$lab" on n2 mount --bind /dev/null "$file"
    refused n2 $launcher "not executable" "$missing"
    sh "$lab" on n2 umount -l "$file"
    sh "$lab" on n1 mount --bind "$PWD/empty" "$file"
    refused n1 $launcher empty "$missing"
    sh "$lab" on n1 umount -l "$file"
done

# A file that is not a program of this machine. mpirun does not say on which node a process has ended.
sh "$lab" on n4 mount --bind "$PWD/broken" "$file"
refused n4 srun broken "*$file: Exec format error"
run "$oshrun" --launcher mpirun --hosts n1:2,n4:2 ./program
expect_code 1 "mpirun, broken"
expect_line "oshrun: mpirun has not started all nodes: *$file: Exec format error"
sh "$lab" on n4 umount -l "$file"

for launcher in srun mpirun; do
    run "$oshrun" --launcher $launcher --hosts n1:1,n4:1 ./program
    expect_code 0 "$launcher at the end"
    expect_silence
done
finish
