#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A path between two nodes is cut for 5 s and comes back. Jobs of srun, mpirun and oshrun go on. Skipped if this machine lacks Slurm
# or Open MPI.
# waits: yes
. "$(dirname "$0")/common.sh"
start_srun_and_mpirun
build_with_library path
by_oshrun() { "$oshrun" --hosts n1:2,n2:2,n3:2,n4:2 "$@"; }

started() { grep -q ready "out.$1"; }
pes_of() { ps -eo stat=,args= | awk -v program="$work/path.$1" '$1 !~ /^Z/ && $2 == program' | wc -l; }
for launcher in srun mpirun oshrun; do
    ln path "path.$launcher"
    : >"out.$launcher"
    ("by_$launcher" "$work/path.$launcher" ring >"out.$launcher" 2>"err.$launcher") &
    wait_until started $launcher || wait_until started $launcher || fail "$launcher: did not start: $(cat "err.$launcher")"
done

# The kernel sends a probe each second, so the second of the time of the cut matters.
for pause in 0.1 0.6; do
    sleep $pause
    begun=$(date +%s%N)
    cut_path n2 n3
    sleep 5
    heal_path n2 n3
    milliseconds=$((($(date +%s%N) - begun) / 1000000))
    sleep 4
    [ "$milliseconds" -lt 5500 ] || skip "the path was cut for $milliseconds ms, because the machine has much other work"
    for launcher in srun mpirun oshrun; do
        [ "$(pes_of $launcher)" -eq 8 ] || fail "$launcher, after $milliseconds ms: $(head -c 500 "err.$launcher")"
    done
done
end_launchers
finish
