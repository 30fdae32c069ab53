#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench.sh BIN: skerry bench network measures the figures that are asked for, among them transfers behind computation.
bench="$1/skerry bench network"
fail() {
    echo "bench.sh: $*" >&2
    exit 1
}
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
text=$($bench --rounds 1 p_quiet hidden 2>"$errors") || fail "it failed"
# The program has UCX from its start. UCX must not warn of variables that the library sets later.
! grep UCX "$errors" || fail "UCX writes messages"
! echo "$text" | grep UCX.*WARN || fail "UCX writes messages"
echo "$text" | grep -Eq '^\| p_quiet +\|' || fail "no figure p_quiet: $text"
# Each operation has seven sizes, from 1 KB to 4 MB.
[ "$(echo "$text" | grep -Ec '^\| (put|get) +\| +[0-9]+[KM] +\|.* -?[0-9.]+ \(-?[0-9.]+ to -?[0-9.]+\) +\|$')" = 14 ] ||
    fail "not 14 transfers: $text"
# Of private memory, four sizes between nodes and six inside a node.
[ "$(echo "$text" | grep -Ec '^\| (put|get)_private +\| +[0-9]+[KM] +\|')" = 8 ] || fail "not 8 private transfers: $text"
[ "$(echo "$text" | grep -Ec '^\| (put|get)_private_one_node +\| +[0-9]+[KM] +\|')" = 12 ] ||
    fail "not 12 private transfers inside a node: $text"
$bench --rounds 1 hidden | grep -q p_quiet && fail "hidden alone measures more"
$bench --rounds 1 p_quiet | grep -q '^Transfers of segments' && fail "p_quiet alone measures more"
$bench --rounds 1 --json hidden | grep -Eq '"name": "hidden", "operation": "get", "bytes": 4194304, .*"share": [{]"median": ' ||
    fail "no JSON"
# A barrier and a sum over three nodes, beside a barrier by bare UCX.
text=$($bench --nodes 3 --rounds 1 2>"$errors") || fail "three nodes: it failed: $(cat "$errors")"
[ "$(echo "$text" | grep -Ec '^\| (barrier_all|sum) +\|.*\| ucp_barrier \|')" = 2 ] || fail "not two figures of three nodes: $text"
exit 0
