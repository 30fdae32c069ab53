#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Skerry's processes run inside a container on each node, which SKERRY_SSH starts. The container is a user and a mount
# namespace, as Apptainer makes them. Only inside, the folder `inside` has Skerry and the program.
NODES=2
. "$(dirname "$0")/common.sh"
sh "$lab" on n1 unshare -U -r -m true 2>/dev/null || skip "no user namespaces inside a node"
build_with_library program
image=$work/image
mkdir -p "$image" inside
cp -r "$SKERRY_BIN" "$image/bin"
cp program "$image"
cat >in-container <<END
#!/bin/sh
host=\$1
shift
exec sh "$lab" on "\$host" unshare -U -r -m sh -c 'mount --bind "$image" "$work/inside" && exec "\$@"' sh "\$@"
END
chmod +x in-container
SKERRY_SSH=$PWD/in-container
mount --bind "$image" inside # this machine has the same paths
run inside/bin/oshrun --hosts n1:2,n2:2 inside/program
umount inside
expect_code 0
[ "$(sed 's/.* on //' out | sort | uniq -c | xargs)" = "2 n1 2 n2" ] || fail "$(cat out err)"
run env SKERRY_SSH="sh $lab on" "$oshrun" --hosts n1:1,n2:1 inside/program
expect_code 127 "outside"
expect_nothing_left
finish
