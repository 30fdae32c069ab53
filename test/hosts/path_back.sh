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
for launcher in srun mpirun oshrun; do ln path "path.$launcher"; done

start_job() { # LAUNCHER
    : >"out.$1"
    ("by_$1" "$work/path.$1" ring >"out.$1" 2>"err.$1") &
    wait_until started "$1" || wait_until started "$1" || fail "$1: did not start: $(cat "err.$1")"
}

no_pes() { ! ps -eo stat=,args= | awk -v program="$work/path." '$1 !~ /^Z/ && index($2, program) == 1' | grep -q .; }
end_jobs() {
    end_launchers
    ps -eo pid=,args= | awk -v program="$work/path." 'index($2, program) == 1 { print $1 }' | xargs -r kill -9 2>/dev/null
    wait_until no_pes || wait_until no_pes || fail "PEs are left behind"
    await_idle_nodes
}

# Each node cuts its direction itself, and says when it began and ended. The shell that does it runs before other processes.
cut_for() { # NODE ADDRESS SECONDS
    # shellcheck disable=SC2016
    sh "$lab" on "$1" nice -n -20 sh -c '
        date +%s%N
        ip neigh replace "$1" lladdr 02:00:00:00:00:01 dev eth0 nud permanent
        sleep "$2"
        ip neigh del "$1" dev eth0
        date +%s%N' sh "$2" "$3" >"cut.$1" 2>/dev/null
}
cut_path_for() { # SECONDS; sets milliseconds, for which the path was cut
    cut_for n2 10.77.0.3 "$1" &
    other=$!
    cut_for n3 10.77.0.2 "$1"
    wait $other
    milliseconds=$(cat cut.n2 cut.n3 | awk '!first || $1 < first { first = $1 } $1 > last { last = $1 } END { printf "%d", (last - first) / 1000000 }')
}

# Returns 1, and ends the jobs, if the path was cut for too long because the machine has much other work: jobs possibly end then.
survives() { # PAUSE
    for launcher in srun mpirun oshrun; do
        [ "$(pes_of $launcher)" -eq 8 ] || start_job $launcher
    done
    sleep "$1"
    cut_path_for 5
    sleep 4
    echo "cut for $milliseconds ms"
    [ "$milliseconds" -ge 5000 ] || fail "the path was cut for $milliseconds ms only: $(cat cut.n2 cut.n3)"
    if [ "$milliseconds" -ge 5500 ]; then
        end_jobs
        return 1
    fi
    for launcher in srun mpirun oshrun; do
        [ "$(pes_of $launcher)" -eq 8 ] || fail "$launcher, after $milliseconds ms: $(head -c 500 "err.$launcher")"
    done
}

# The kernel sends a probe each second, so the second of the time of the cut matters.
for pause in 0.1 0.6; do
    attempts=0
    until survives $pause; do
        attempts=$((attempts + 1))
        [ $attempts -lt 6 ] || skip "the path was cut for $milliseconds ms in 6 tries, because the machine has much other work"
    done
done
end_launchers
finish
