#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a job of several nodes takes, by TCP: at most 64 bytes for each far PE that a PE does not use, and at most 64
# descriptors of a PE beside one for each node that it uses. Without InfiniBand no modules for it are loaded.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "$*" >&2
    exit 1
}
"$SKERRY_BIN/oshcc" -O2 -o "$folder/resources" "$(dirname "$0")/resources.c" || fail "resources.c does not compile"
export UCX_TLS=tcp,self

# run NODES PES [WORD] prints the line of PE 2.
run() {
    SKERRY_NODES=$1 "$SKERRY_BIN/oshrun" --timeout 60 -n "$2" "$folder/resources" $3 || fail "$2 PEs on $1 nodes failed"
}

# The smallest result of three jobs: a page more or less is chance.
memory() {
    for try in 1 2 3; do run "$1" "$2"; done | sort -k2n | sed -n '1s/memory //p'
}
few=$(memory 4 64) many=$(memory 16 256)
[ "${few:-0}" -gt 0 ] || fail "no memory in the output"
echo "memory of a PE: $few KB in a job of 64 PEs, $many KB in one of 256"
[ $(((many - few) * 1024)) -le $((192 * 64)) ] || fail "192 more far PEs cost $((many - few)) KB: more than 64 bytes each"

set -- $(run 8 24 connect)
[ "$1" = descriptors ] || fail "no descriptors in the output"
echo "descriptors of a PE: $2, of which $3 are sockets, after it has put to $4 other nodes"
[ "$4" -eq 7 ] || fail "PE 2 has $4 far peers instead of 7"
[ "$2" -le $((64 + $4)) ] || fail "$2 descriptors: more than 64 and one for each of $4 nodes"
# UCX also has a socket that listens at each network.
[ "$3" -le $(($4 + 4)) ] || fail "$3 sockets for connections to $4 nodes: more than one for each"

# PE 2 is a port here.
[ "$(UCX_MODULES=all run 2 4 modules)" != "modules 0" ] || echo "this UCX has no modules for InfiniBand"
[ -e /sys/class/infiniband ] || [ "$(run 2 4 modules)" = "modules 0" ] || fail "modules for InfiniBand are loaded: $(run 2 4 modules)"
