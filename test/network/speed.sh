#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Puts and gets of 4 MB between two nodes reach 0.95 of the rate of bare UCX between the same processes: by messages, that of
# UCX's messages and of its puts and gets; by remote access, which TCP does not have, that of its puts and gets. Skerry and
# bare UCX alternate, so that other programs slow both down. One of six runs has to reach it. By remote access Skerry and
# bare UCX do the same, so that chance decides; there a time of 1.2 times what is allowed is enough.
export SKERRY_NODES=2 UCX_TLS=tcp,self SKERRY_NETWORK_PUT
program=$SKERRY_BIN/../libexec/skerry/bench/network
[ -x "$program" ] || { echo "$program is not there" >&2; exit 1; }

# too_slow REFERENCES SLACK prints the ratios to these references that are too large, or a line about a failure.
too_slow() {
    "$SKERRY_BIN/oshrun" --timeout 60 -n 2 "$program" --rounds 9 put get | awk -v references="$1" -v slack="$2" '
        $1 == "ratio" { print $2, $3, $5 " of the time of " $4 > "/dev/stderr" }
        $1 == "ratio" && $4 ~ references { count++; if ($5 > $8 * slack) print $2, $3 ": " $5 " of the time of " $4 }
        END { if (count < 2) print count + 0 " ratios" }'
}

for SKERRY_NETWORK_PUT in message remote; do
    references=ucp slack=1
    [ "$SKERRY_NETWORK_PUT" = remote ] && references='ucp_put_flush|ucp_get' slack=1.2
    for try in 1 2 3 4 5 6; do
        slow=$(too_slow "$references" $slack)
        [ -z "$slow" ] && break
    done
    if [ -n "$slow" ]; then
        echo "by $SKERRY_NETWORK_PUT: $slow; at most 1/0.95 is allowed" >&2
        exit 1
    fi
done
