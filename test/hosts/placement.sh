#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# --hosts and --hostfile put consecutive ranks on the hosts, as many as the user says.
. "$(dirname "$0")/common.sh"
build_with_library program

run "$oshrun" --hosts n2:2,n1:1,n4:3 ./program
expect_code 0
expect_silence
[ "$(sort out)" = "0 of 6 on n2
1 of 6 on n2
2 of 6 on n1
3 of 6 on n4
4 of 6 on n4
5 of 6 on n4" ] || fail "places: $(sort out)"

run "$oshrun" -n 3 -H n1:2,n2:4 ./program # fills the first host first
[ "$(sort out)" = "0 of 3 on n1
1 of 3 on n1
2 of 3 on n2" ] || fail "with -n: $(sort out) $(cat err)"

run "$oshrun" -n 5 --hosts n1,n2 ./program # no numbers: evenly
[ "$(grep -c 'on n1' out) $(grep -c 'on n2' out)" = "3 2" ] || fail "evenly: $(sort out) $(cat err)"

run "$oshrun" -n 1 --hosts n3:2,n1:2 ./program # a host without a PE
expect_out "0 of 1 on n3"

printf '# two hosts\nn3 slots=1\n\nn1:2 # a comment\n' >hosts
run "$oshrun" --hostfile hosts ./program
expect_code 0
[ "$(sort out)" = "0 of 3 on n3
1 of 3 on n1
2 of 3 on n1" ] || fail "host file: $(sort out) $(cat err)"

# The nodes of the lab are on one machine. So the PEs of all nodes share its processors, as the PEs of one node do.
processors_of() { awk '/Cpus_allowed_list/ { print $2 }' out | sort | uniq -c | awk '{ print $1 }' | tr '\n' ' '; }
if [ "$(nproc)" -ge 2 ]; then
    run "$oshrun" --hosts n1:1,n2:1 grep Cpus_allowed_list /proc/self/status
    [ "$(processors_of)" = "1 1 " ] || fail "two PEs on one processor: $(cat out)"
fi
run "$oshrun" --hosts "n1:1,n2:$(nproc)" grep Cpus_allowed_list /proc/self/status
[ "$(processors_of)" = "$(($(nproc) + 1)) " ] || fail "too many PEs are pinned: $(cat out)"

run "$oshrun" --tag-output --stats --hosts n1:1,n2:1 ./program
grep -qx '\[1\] 1 of 2 on n2' out || fail "tags: $(cat out)"
grep -q 'nodes: 2; started by ssh' err || fail "statistics: $(cat err)"
awk '$1 == "n1" && $2 == "n2" && $3 > 0 && $4 > 0 { found = 1 } END { exit !found }' err || fail "traffic: $(cat err)"
# A table for each node, in the order of the nodes, and a line for the job.
run "$oshrun" --stats --hosts n3:2,n1:1,n2:2 sh -c '[ "$(hostname)" != n3 ] || sleep 0.5; exec ./program'
expect_code 0
[ "$(awk '/^node n/ { print } $1 ~ /^([0-9]|node|job)$/ && NF == 8 { print $1 }' err)" = "node n3 (PEs 0-1)
0
1
node
node n1 (PE 2)
2
node
node n2 (PEs 3-4)
3
4
node
job" ] || fail "tables: $(cat err)"
awk '$1 == "node" && NF == 8 { waits += $7; if ($2 > longest) longest = $2 }
     $1 == "job" && NF == 8  { job = 1; if ($7 != waits || $2 != longest || $2 < 0.5) exit 1 }
     END { exit !job }' err || fail "sums: $(cat err)"
finish
