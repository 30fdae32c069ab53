#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# If the link of a node is cut before all nodes have joined, the job ends everywhere after some seconds, with a line that
# names the node. A node that is only slow to start is not taken for dead. Each check has nodes of its own, and all checks run
# at the same time.
# waits: yes
NODES=9
. "$(dirname "$0")/common.sh"
build_with_library program
make_mpirun
limit=15000 # milliseconds, for a machine with much other work; on another one it takes 7 to 9 s

# Takes the place of ssh. SLOW has words NODE:SECONDS; the start of skerry-node on such a node takes so long. Without
# seconds it does not start at all.
cat >slow_ssh <<'END'
#!/bin/sh
node=$1
shift
for word in $SLOW; do
    [ "${word%:*}" = "$node" ] || continue
    echo begun >"begun.$node"
    sh "$LAB_SCRIPT" on "$node" sleep "${word#*:}"
done
exec sh "$LAB_SCRIPT" on "$node" "$@"
END
chmod +x slow_ssh
# A mpirun that is as slow. Its connections between oshrun and the nodes cross the links.
sed "s|sh \"\$LAB_SCRIPT\" on \"\$host\"|$work/slow_ssh \"\$host\"|" mpirun >slow_mpirun
chmod +x slow_mpirun
mkdir bin
mv slow_mpirun bin/mpirun
export SKERRY_SSH="$work/slow_ssh"

joined() { sh "$lab" on "$1" pgrep -x skerry-node >/dev/null; }
begun() { [ -e "begun.$1" ]; }
is_empty() { # a node has only its first process, and this ps
    [ "$(sh "$lab" on "$1" ps -eo stat=,comm= | grep -v '^Z' | grep -vc -e ' ps$' -e ' sleep$')" -eq 0 ]
}
cut_and_expect_end() { # NODE OTHER_NODE...
    cut_node=$1
    sh "$lab" cut "$cut_node"
    begun=$(date +%s%N)
    wait $job
    code=$?
    milliseconds=$((($(date +%s%N) - begun) / 1000000))
    expect_code 1
    expect_line "oshrun: node $cut_node does not answer: no sign of life for 7 s; job stopped"
    [ "$milliseconds" -lt "$limit" ] || fail "$cut_node: ended after $milliseconds ms"
    for node; do
        until is_empty "$node"; do
            [ $((($(date +%s%N) - begun) / 1000000)) -lt "$limit" ] || { fail "left on $node: $(sh "$lab" on "$node" ps -eo args)"; break; }
            sleep 0.1
        done
    done
}

check_joined_node() { # the cut node has joined, and another one has not
    PATH=$work/bin:$PATH SLOW="n3:1000" "$oshrun" --launcher mpirun --hosts n1:1,n2:1,n3:1 "$work/program" >out 2>err &
    job=$!
    wait_until joined n2 && wait_until begun n3 || fail "did not start"
    cut_and_expect_end n2 n1 n2
}
check_starting_node() { # ssh still waits for the node
    SLOW="n5:1000" "$oshrun" --hosts n4:1,n5:1 "$work/program" >out 2>err &
    job=$!
    wait_until joined n4 && wait_until begun n5 || fail "did not start"
    sleep 1
    cut_and_expect_end n5 n4
}
check_late_node() { # skerry-node starts on a node that is cut off already, and finds no oshrun
    PATH=$work/bin:$PATH SLOW="n7:2" "$oshrun" --launcher mpirun --hosts n6:1,n7:1 "$work/program" >out 2>err &
    job=$!
    wait_until begun n7 || fail "did not start"
    sleep 1
    cut_and_expect_end n7 n6 n7
}
check_slow() { # slower than a node may be silent
    SLOW="n9:12" timeout 60 "$oshrun" --hosts n8:1,n9:1 "$work/program" >out 2>err
    code=$?
    expect_code 0
    expect_silence
}
check_stopped() { # skerry-node waits for its part of the job, and gets no processor time
    SLOW="n9:12" timeout 60 "$oshrun" --hosts n8:1,n9:1 "$work/program" >out 2>err &
    job=$!
    wait_until joined n8 || fail "did not start"
    stopped=$(sh "$lab" on n8 pgrep -x skerry-node | head -1)
    sh "$lab" on n8 kill -STOP "$stopped"
    sleep 13
    sh "$lab" on n8 kill -CONT "$stopped"
    wait $job
    code=$?
    expect_code 0
    expect_silence
}
together joined_node starting_node late_node slow stopped
expect_nothing_left
finish
