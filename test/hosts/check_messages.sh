#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The checks of collectives (oshcc --check) send few messages to other nodes: a PE does not poll the memory of another node.
. "$(dirname "$0")/common.sh"
"$SKERRY_BIN/oshcc" --check -O1 -g "$here/check_messages.c" -o program || exit 1

# messages COUNT: number of messages from node n2 to node n1 in a job with this number of collectives
messages() {
    run "$oshrun" --stats --hosts n1:2,n2:2,n3:1 ./program "$1"
    expect_code 0
    awk '$1 == "n2" && $2 == "n1" && NF == 5 { print $3 }' err
}
few=$(messages 0) many=$(messages 500)
[ "${few:-0}" -gt 0 ] || fail "no messages: $(cat err)"
echo "messages from n2 to n1: $few without collectives, $many with 500"
# A collective on three nodes is an arrival at member 0, a barrier of two rounds after the comparison, and the sum itself,
# which also has two rounds. An operation can take a second message, for an acknowledgement.
[ $((many - few)) -le 5000 ] || fail "$((many - few)) messages of node n2 to node n1 in 500 collectives"
finish
