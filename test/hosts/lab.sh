#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes a cluster on one machine: each node is a set of namespaces (network, hostname, processes, System V IPC, mounts)
# with an address of its own on one bridge. Nodes share the files of this machine, except /dev/shm. A program started by
# `lab.sh on` runs on a node as if the node were a machine of its own. Needs root, or a kernel that lets users make
# namespaces.
#
#   lab.sh run N COMMAND...   makes nodes n1 to nN, at 10.77.0.1 to N, runs the command at 10.77.0.254, and ends all
#                             processes of the lab. Exit code 77: this machine lets nobody make namespaces
# Inside the command, LAB is the folder of the lab:
#   lab.sh on nI COMMAND...   runs a command on a node, as ssh would
#   lab.sh kill nI            kills all processes of a node
#   lab.sh cut nI | heal nI   takes the node's link down without notice, or up again
#   lab.sh delay nI MICROSECONDS RELAY   replaces the node's link by one that delays packets in both directions; RELAY
#                             is the program relay.c
#   lab.sh block nI nJ | unblock nI nJ   loses all packets from nI to nJ, or no more: no TCP connection between them
#                             succeeds, as behind a firewall that drops packets
#   lab.sh reject nI nJ       connections from nI to nJ fail at once
#   lab.sh loss nI PERCENT    drops that share of the packets that reach the node (needs nft); 0 ends it
set -eu

# Runs in the namespaces of the lab.
begin() {
    count=$1
    shift
    mount -t tmpfs lab "$LAB"
    ip link set lo up
    # With an address of its own: a bridge without one has the lowest address of its links. If a node dies that has this link, the
    # other nodes then send to the old address for some seconds, and do not reach the host of srun.
    ip link add bridge address 02:00:0a:4d:00:fe type bridge
    ip addr add 10.77.0.254/24 dev bridge
    ip link set bridge up
    for i in $(seq "$count"); do echo "10.77.0.$i n$i"; done >"$LAB/hosts"
    echo "127.0.0.1 localhost" >>"$LAB/hosts"
    mount --bind "$LAB/hosts" /etc/hosts
    for i in $(seq "$count"); do start_node "$i"; done
    "$@"
}

start_node() {
    # shellcheck disable=SC2016
    unshare -n -u -i -m -p --fork --kill-child --mount-proc sh -c '
        hostname "n$1"; mount -t tmpfs shm /dev/shm; ip link set lo up; echo up >"$2"; exec sleep 100000' \
        sh "$1" "$LAB/n$1.up" </dev/null >/dev/null 2>&1 &
    parent=$!
    until [ -e "$LAB/n$1.up" ]; do sleep 0.01; done
    child=$(tr -d ' ' <"/proc/$parent/task/$parent/children")
    echo "$child" >"$LAB/n$1"
    ip link add "link$1" type veth peer name eth0 netns "$child"
    set_up_link "$1" "$child"
}

set_up_link() { # NUMBER PROCESS
    ip link set "link$1" master bridge
    ip link set "link$1" up
    nsenter -t "$2" -n sh -c "ip addr add 10.77.0.$1/24 dev eth0; ip link set eth0 up; ip route add default via 10.77.0.254"
}

case ${1:-} in
run)
    shift
    export LAB=/mnt # an empty file system, mounted in the lab only
    user=
    [ "$(id -u)" = 0 ] || user="-U -r"
    # shellcheck disable=SC2086
    unshare $user -n -u -m -p --fork true 2>/dev/null && command -v ip >/dev/null || {
        echo "skipped: needs root or user namespaces, and the command ip"
        exit 77
    }
    # shellcheck disable=SC2086
    exec unshare $user -n -u -m -p --fork --kill-child --mount-proc sh "$0" begin "$@"
    ;;
begin)
    shift
    begin "$@"
    ;;
on)
    node=$2
    shift 2
    [ -e "$LAB/$node" ] || { echo "lab: no node $node" >&2; exit 255; }
    export SSH_CONNECTION="10.77.0.254 9 10.77.0.${node#n} 9" # as an ssh server does
    exec nsenter -t "$(cat "$LAB/$node")" -n -u -i -m -p --wd="$PWD" -- "$@"
    ;;
kill) kill -9 "$(cat "$LAB/$2")" ;;
cut) ip link set "link${2#n}" down ;;
# The packets go to an Ethernet address that nobody has.
block) sh "$0" on "$2" ip neigh replace "10.77.0.${3#n}" lladdr 02:00:00:00:00:01 dev eth0 nud permanent ;;
unblock) sh "$0" on "$2" ip neigh del "10.77.0.${3#n}" dev eth0 ;;
reject) sh "$0" on "$2" ip route add unreachable "10.77.0.${3#n}" ;;
heal)
    ip link set "link${2#n}" up
    # While the link was down, the node may have asked for the Ethernet addresses of others without an answer. When it gives up such
    # a question, connections that wait for the answer fail, also those that began after the link was up.
    sh "$0" on "$2" ip neigh flush dev eth0
    ;;
delay)
    number=${2#n} process=$(cat "$LAB/$2")
    ip link del "link$number"
    "$4" "$process" eth0 "link$number" "$3" >"$LAB/$2.relay" &
    until grep -q ready "$LAB/$2.relay"; do kill -0 $! || exit 1; sleep 0.01; done
    set_up_link "$number" "$process"
    ;;
loss)
    sh "$0" on "$2" nft delete table inet lab 2>/dev/null || true
    [ "$3" = 0 ] || sh "$0" on "$2" nft -f - <<END
table inet lab { chain in { type filter hook input priority 0; iifname eth0 numgen random mod 100 < $3 drop; }; }
END
    ;;
*)
    sed -n 3,22p "$0"
    exit 2
    ;;
esac
