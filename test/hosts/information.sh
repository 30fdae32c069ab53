#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# skerry info prints the processors, memory and transports of each host of --hosts and --hostfile, in their order.
NODES=3
. "$(dirname "$0")/common.sh"
skerry=$SKERRY_BIN/skerry

run "$skerry" info --hosts n2:3,n1,n3:1
expect_code 0
expect_silence
grep -q '^nodes  *3  *(of --hosts n2:3,n1,n3:1)$' out || fail "no line of the nodes: $(tail -4 out)"
[ "$(sed -n 's/^node \(n[0-9]\): processors [1-9][0-9]*, memory [0-9]* MB, ucx yes, transports .*tcp.*, network put message\(.*\)$/\1\2/p' out)" = \
    "n2, for 3 PEs
n1
n3, for 1 PE" ] || fail "$(tail -4 out)"

printf 'n1 slots=2\nn3\n' >hosts
run "$skerry" info --json --hostfile hosts
expect_code 0 hostfile
cat >check.py <<'END'
import json, sys
facts = json.load(sys.stdin)
first, second = facts["nodes"]
assert first["node"] == "n1" and first["pes"] == 2 and second["node"] == "n3" and "pes" not in second
assert all(node["processors"] > 0 and node["memory_mb"] > 0 and "tcp" in node["transports"] for node in (first, second))
END
python3 check.py <out || fail "not as expected: $(cat out)"

# A node without the module for UCX says why.
sh "$lab" on n2 mount -t tmpfs nothing "$SKERRY_BIN/../lib/skerry/network"
run "$skerry" info --hosts n1,n2
grep -q '^node n2: .*ucx no: ' out || fail "no module: $(tail -2 out)"
grep -q '^node n1: .*ucx yes' out || fail "no module on the other node: $(tail -2 out)"

run "$skerry" info --hosts n1,n9
expect_code 1 "unknown host"
expect_line 'oshrun: node n9: skerry-node did not start (SKERRY_SSH=*): lab: no node n9'
grep -q '^node n9: no answer$' out || fail "unknown host: $(tail -2 out)"
grep -q '^node n1: .*ucx yes' out || fail "a host beside an unknown host: $(tail -2 out)"
run "$skerry" info --hosts n8,n1,n9,n3
expect_code 1 "two unknown hosts"
[ "$(sort err | sed 's/ (SKERRY_SSH=.*)//')" = "oshrun: node n8: skerry-node did not start: lab: no node n8
oshrun: node n9: skerry-node did not start: lab: no node n9" ] || fail "two unknown hosts: $(cat err)"
[ "$(tail -n 4 out | sed 's/: .*ucx yes.*/: well/')" = "node n8: no answer
node n1: well
node n9: no answer
node n3: well" ] || fail "two unknown hosts: $(tail -n 4 out)"
run "$skerry" info --hosts
expect_code 2
expect_line 'skerry: info: --hosts: needs an operand'
run "$skerry" info --hosts n1:0
expect_code 2
expect_line 'skerry: info: --hosts: n1:0: the number of PEs of a host must be 1 to *'
finish
