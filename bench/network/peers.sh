#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Compares Skerry with other implementations of OpenSHMEM ("peers") between two nodes, over the same network. In each
# round every implementation runs once, one after the other. Called inside the cluster of test/hosts/lab.sh, from the
# root of the repository:
#     SKERRY_BIN=build/default/bin sh test/hosts/lab.sh run 2 sh bench/network/peers.sh [ROUNDS [SECONDS]] [NAME=WRAPPER...]
# WRAPPER is the compiler wrapper of a peer whose programs an mpirun can start. Without a WRAPPER, the peer is Open MPI.
# UCX uses TCP in all implementations. Prints ns for an operation, and Skerry's time divided by the peer's. Both are
# printed as medians and quartiles of the rounds:
#     time FIGURE CONTENDER MEDIAN QUARTILE1 QUARTILE3
#     ratio FIGURE PEER MEDIAN QUARTILE1 QUARTILE3
set -u
: "${LAB:?call this inside test/hosts/lab.sh run 2}" "${SKERRY_BIN:?must name the folder of oshrun}"
SKERRY_BIN=$(cd "$SKERRY_BIN" && pwd)
sources=$(cd "$(dirname "$0")/../shmem" && pwd)
lab=$(cd "$(dirname "$0")/../../test/hosts" && pwd)/lab.sh
rounds=${1:-5} seconds=${2:-0.3}
[ $# -lt 2 ] && shift $# || shift 2
[ $# -gt 0 ] || set -- "openmpi=/usr/bin/oshcc"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/rsh" <<END
#!/bin/sh
node=\$1
shift
exec sh $lab on "\$node" sh -c "\$*"
END
chmod +x "$work/rsh"
export UCX_TLS=tcp,self UCX_NET_DEVICES=eth0 SKERRY_SSH="sh $lab on"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

build() { # NAME WRAPPER
    mkdir "$work/$1"
    for program in rma atomic barrier reduce; do
        "$2" -O2 -o "$work/$1/$program" "$sources/$program.c" "$sources/measure.c" || exit 1
    done
}

# The programs pin their PEs themselves. The launchers must not pin them. Both nodes are on this machine and each node
# has one PE. Each launcher would therefore pin its PE to the first processor.
start() { # NAME PROGRAM WORDS...
    program=$work/$1/$2
    peer=$1
    shift 2
    if [ "$peer" = skerry ]; then
        timeout 60 "$SKERRY_BIN/oshrun" --bind none --hosts n1:1,n2:1 "$program" "$@"
    else
        timeout 60 mpirun.openmpi --mca plm_rsh_agent "$work/rsh" --mca oob_tcp_if_include 10.77.0.0/24 --mca btl tcp,self \
            --mca btl_tcp_if_include 10.77.0.0/24 --host n1:1,n2:1 -n 2 --bind-to none -x UCX_TLS -x UCX_NET_DEVICES \
            "$program" "$@"
    fi >"$work/out" 2>"$work/err" </dev/null
}

measure() { # NAME PROGRAM FIGURE WORDS...: appends the time to a file
    name=$1 figure=$3
    start "$1" "$2" --seconds "$seconds" "$3" ${4:+"$4" "$5"}
    # A run counts if it has printed its result, whatever its exit code is. Open MPI 4.1 can crash at its end, after the
    # result.
    took=$(awk -v figure="$figure" '$1 == "result" && $2 == figure { print $5 }' "$work/out")
    [ -n "$took" ] || { echo "$name: no result for $figure: $(tail -3 "$work/err")" >&2 && exit 1; }
    echo "$took" >>"$work/$figure.$name"
}

quartiles() { # of standard input: MEDIAN QUARTILE1 QUARTILE3
    sort -g | awk '{ v[NR] = $1 }
        function at(q,   k, i) { k = 1 + q * (NR - 1); i = int(k); return v[i] + (k - i) * (v[i < NR ? i + 1 : i] - v[i]) }
        END { printf "%.4g %.4g %.4g\n", at(0.5), at(0.25), at(0.75) }'
}

build skerry "$SKERRY_BIN/oshcc"
names=skerry
for peer in "$@"; do
    build "${peer%%=*}" "${peer#*=}"
    names="$names ${peer%%=*}"
done
for _ in $(seq "$rounds"); do
    for name in $names; do measure "$name" rma p_quiet; done
    for name in $names; do measure "$name" atomic fetch_add; done
    for name in $names; do measure "$name" barrier barrier_all; done
    for name in $names; do measure "$name" reduce sum_long --sizes 8; done
done
for figure in p_quiet fetch_add barrier_all sum_long; do
    for name in $names; do
        echo "time $figure $name $(quartiles <"$work/$figure.$name")"
        [ "$name" = skerry ] ||
            echo "ratio $figure $name $(paste "$work/$figure.skerry" "$work/$figure.$name" | awk '{ print $1 / $2 }' | quartiles)"
    done
done
