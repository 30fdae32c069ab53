#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A node that has another version of the library, of its module for UCX, of skerry-node or of the program ends the job with a line that names the
# node and both versions. The other versions are copies in which the hash of the sources is changed.
NODES=3
. "$(dirname "$0")/common.sh"
build_with_library program
library=$(readlink -f "$SKERRY_BIN/../lib/libskerry.so")
build=$("$SKERRY_BIN/skerry" info | sed -n 's/^build  *\([^ ]*\) .*/\1/p')
case $build in
*-????????) ;;
*) fail "skerry info prints no build: $build" ;;
esac
other=${build%????????}00000000
export LC_ALL=C

# on_n2 FILE CHANGE: from now on node n2 has a copy of the file that sed has changed. Fails if nothing was changed.
on_n2() {
    sed "$2" "$1" >changed
    chmod 755 changed
    ! cmp -s changed "$1" || fail "$1 has no text for $2"
    sh "$lab" on n2 cp changed "/dev/shm/${1##*/}"
    sh "$lab" on n2 mount --bind "/dev/shm/${1##*/}" "$1"
}
as_before() {
    sh "$lab" on n2 umount "$1"
    sh "$lab" on n2 rm "/dev/shm/${1##*/}"
}
expect_refused() { # WHAT PATTERN COMMAND...
    what=$1 pattern=$2
    shift 2
    begun=$(date +%s)
    run "$@"
    expect_code 1 "$what"
    expect_each_line "$pattern"
    [ $(($(date +%s) - begun)) -lt 30 ] || fail "$what: the job has taken $(($(date +%s) - begun)) seconds"
    expect_nothing_left
}
hosts=n1:1,n2:2,n3:1

on_n2 "$library" "s/$build/$other/g"
expect_refused library "skerry: PE [12]: node n2: *libskerry.so* has version $other of Skerry, and the oshrun of this node is made for version $build; all nodes must have the same version" \
    "$oshrun" --hosts $hosts ./program
run "$oshrun" --hosts n1:1,n3:1 ./program
expect_code 0 "nodes with the same library"
sh "$lab" on n3 mount --bind "$PWD/changed" "$library"
expect_refused "library on two nodes" "skerry: PE [12]: node n2: *libskerry.so* has version $other of Skerry, and the oshrun of this node is made for version $build; all nodes must have the same version" \
    "$oshrun" --hosts $hosts ./program
[ "$(wc -l <err)" -eq 1 ] || fail "library on two nodes: more than one line: $(cat err)"
sh "$lab" on n3 umount "$library"
as_before "$library"

module=$SKERRY_BIN/../lib/skerry/network/ucx.so
on_n2 "$module" "s/$build/$other/g"
expect_refused module "skerry: PE [12]: shmem_init: this job has several nodes, and the network module cannot be used on node n2: */ucx.so has version $other of Skerry, and the library has version $build" \
    "$oshrun" --hosts $hosts ./program
as_before "$module"

# The hash of skerry-node is not in skerry info: it is that of the library and the launcher.
node=$SKERRY_BIN/skerry-node
launcher=$(grep -ao "${build%????????}[0-9a-f]\{8\}" "$node" | grep -v "$build" | head -1)
on_n2 "$node" "s/$launcher/$other/g"
expect_refused skerry-node "oshrun: node n2 has version $other of Skerry, and this oshrun is version $launcher" \
    "$oshrun" --hosts $hosts ./program
# mpirun's nodes connect in any order, so each node in turn has the other version.
as_before "$node"
make_mpirun
for i in 1 2 3; do
    sed "s/$launcher/$other/g" "$node" >changed
    sh "$lab" on n$i cp changed /dev/shm/skerry-node
    sh "$lab" on n$i mount --bind /dev/shm/skerry-node "$node"
    expect_refused "skerry-node of n$i" "oshrun: node n$i has version $other of Skerry, and this oshrun is version $launcher" \
        "$oshrun" --launcher mpirun --hosts $hosts ./program
    sh "$lab" on n$i umount "$node"
    sh "$lab" on n$i rm /dev/shm/skerry-node
done

# The command is a script, the same on all nodes, and starts another program on each node. Only the programs' own data
# show that. One program has more static data; the other one differs in a character.
cat >start.sh <<'END2'
exec /dev/shm/each
END2
{ cat "$here/program.c" && echo 'long more_data[5000] = {1};'; } >larger.c
sed 's/wrong data/wrong date/' "$here/program.c" >twin.c
for program in larger twin; do
    "$SKERRY_BIN/oshcc" -O1 $program.c -o $program || exit 1
    for i in 1 2 3; do
        copied=program
        [ $i -ne 2 ] || copied=$program
        sh "$lab" on n$i cp $copied /dev/shm/each
    done
    expect_refused "$program" 'skerry: PE [0-3]: network (UCX): node n[12] (PE*) runs another program than node n[123] (PE*): their files differ; all PEs of a job must run the same program' \
        "$oshrun" --hosts $hosts sh start.sh
    grep -q '^skerry: PE 0: network (UCX): node n2 (PEs 1-2) runs another program than node n1 (PE 0): ' err || fail "$program: $(cat err)"
done
sh "$lab" on n2 cp program /dev/shm/each
run "$oshrun" --hosts $hosts sh start.sh
expect_code 0 "the same program on all nodes"

run "$oshrun" --hosts $hosts ./program
expect_code 0 "as before"
finish
