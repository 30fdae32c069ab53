#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# bench.sh BIN: skerry bench --machine mppa --quick prints tables 1 and 2 of Hascoet et al. (2017) beside the paper, and the
# DMA unit alone reaches the bars.
set -eu
bin=$1
fail() {
    echo "bench.sh: $*" >&2
    exit 1
}
report=$("$bin/skerry" bench --machine mppa --quick)
# cell ROW COLUMN: the first number of this cell of the first row that begins so.
cell() {
    echo "$report" | grep -E "^\| $1 \|" | head -n 1 | cut -d '|' -f "$(($2 + 2))" | sed 's,/.*,,; s, ,,g'
}
at_least() {
    awk "BEGIN { exit !($1 >= $2) }" || fail "$3: $1, and must be at least $2: $report"
}
at_least "$(cell '1 \(to itself\)' 1)" 1.4 "GB/s of one cluster, 1 KB"
at_least "$(cell 16 5)" 59 "GB/s of 16 clusters, 256 KB"
awk "BEGIN { exit !($(cell 16 5) <= 60.3) }" || fail "faster than the links: $report"
echo "$report" | grep -Eq '^\| 16 \|.* / 10\.7 \|.* / 60\.2 \|$' || fail "not the paper's table 1: $report"
echo "$report" | grep -Eq '^\| 15 \|.* / 740 \|.* / 550 \|$' || fail "not the paper's table 2: $report"
at_least "$(cell 15 1)" 1100 "thousand messages of 16 bytes a second"
"$bin/skerry" bench --machine mppa --quick --json | grep -q '"name": "queue", "clusters": 15, "bytes": 16, "cycles": ' ||
    fail "no JSON of the queue"
