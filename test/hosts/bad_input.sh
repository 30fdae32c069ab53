#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a user can do wrong with several hosts gives one line that says what and where, and leaves nothing behind.
. "$(dirname "$0")/common.sh"
build_with_library program

refuse() { # CODE PATTERN OPTIONS...
    code_wanted=$1
    pattern=$2
    shift 2
    run "$oshrun" "$@"
    expect_code "$code_wanted" "$*"
    expect_line "$pattern"
}
refuse 2 'oshrun: -n 9: more PEs than the hosts allow: the numbers after their names allow 4' -n 9 --hosts n1:2,n2:2 ./program
refuse 2 'oshrun: --hosts: n1:0: the number of PEs of a host must be 1 to *' --hosts n1:0 ./program
refuse 2 'oshrun: --hosts: n1:x: the number of PEs of a host must be 1 to *' --hosts n1:x ./program
refuse 2 'oshrun: --hosts: n1:: a number of PEs must follow the colon' --hosts n1: ./program
refuse 2 "oshrun: --hosts: '' is not a host's name: it must not be empty or begin with a dash" --hosts n1,,n2 ./program
refuse 2 "oshrun: --hosts: '-v' is not a host's name: it must not be empty or begin with a dash" --hosts=-v,n2 ./program
refuse 2 'oshrun: --hosts: host n1 is named twice, once with and once without a number of PEs: give the number both times or never' --hosts n1,n1:2 ./program
refuse 2 'oshrun: --hostfile nothing: No such file or directory' --hostfile nothing ./program
refuse 2 'oshrun: --hosts and --hostfile must not be given together' --hosts n1 --hostfile nothing ./program
refuse 2 'oshrun: --launcher rsh: must be ssh, srun, mpirun or prterun' --launcher rsh --hosts n1,n2 ./program
refuse 2 'oshrun: -x =3: must be NAME or NAME=VALUE' -x =3 --hosts n1,n2 ./program
refuse 2 'oshrun: -x NOT_SET: is not set in the environment' -x NOT_SET --hosts n1,n2 ./program
refuse 2 'oshrun: --launcher ssh: needs --hosts or --hostfile' --launcher ssh ./program
echo 'n1 many words' >hosts
refuse 2 'oshrun: --hostfile hosts, line 1: must be NAME, NAME:N or NAME slots=N' --hostfile hosts ./program
refuse 1 'oshrun: node n9: skerry-node did not start (SKERRY_SSH=*): lab: no node n9' --hosts n1:1,n9:1 ./program
refuse 127 'oshrun: node n[12]: ./missing: No such file or directory' --hosts n1:1,n2:1 ./missing

# The program is on one node only, or is another file there. The nodes share all files but those in /dev/shm.
sh "$lab" on n1 cp program /dev/shm/program
refuse 127 'oshrun: node n2: /dev/shm/program: No such file or directory' --hosts n1:1,n2:1 /dev/shm/program
sh "$lab" on n2 sh -c 'cp program /dev/shm/program && echo >>/dev/shm/program'
refuse 1 'oshrun: /dev/shm/program has different contents on nodes n1 and n2; all nodes must run the same program' \
    --hosts n1:1,n2:1 /dev/shm/program
sh "$lab" on n1 mkdir /dev/shm/folder
(cd /dev/shm && mkdir -p folder && cd folder && timeout 20 "$oshrun" --hosts n1:1,n2:1 "$work/program" >"$work/out" 2>"$work/err")
rmdir /dev/shm/folder
expect_line 'oshrun: node n2: cannot enter the folder /dev/shm/folder: No such file or directory'

# A program without a loader cannot load the module for the network.
"$SKERRY_BIN/oshcc" -static -O1 "$here/program.c" -o static 2>/dev/null || exit 1
run "$oshrun" --hosts n1:1,n2:1 ./static
expect_code 1 static
grep -q '^skerry: PE [01]: shmem_init: this job has several nodes, and the network module cannot be loaded: this program is linked statically$' err ||
    fail "static: $(cat err)"
run "$oshrun" --hosts n1:2 ./static
expect_code 0 "static, on one host"

# A node has no module for the network.
sh "$lab" on n2 mount -t tmpfs nothing "$SKERRY_BIN/../lib/skerry/network"
refuse 1 'skerry: PE 1: shmem_init: *the network module cannot be loaded on node n2: */skerry/network/ucx.so: *' --hosts n1:1,n2:1 ./program
sh "$lab" on n2 umount "$SKERRY_BIN/../lib/skerry/network"

# No node has this transport of UCX. UCX's own lines are on standard error too.
UCX_TLS=nowhere run "$oshrun" --hosts n1:1,n2:1 ./program
expect_code 1 UCX_TLS
grep -q "UCX  *ERROR no usable transports" err || fail "no line of UCX: $(head -c 500 err)"
drop_ucx_lines
expect_each_line 'skerry: PE [01]: network (UCX): node n[12]: UCX_TLS=nowhere: no such transport on this node; it has: *tcp*'

# Something else than skerry-node answers: text, nothing, or another version.
mkdir fake
cp "$oshrun" fake/
printf '#!/bin/sh\necho hello\n' >fake/skerry-node
chmod +x fake/skerry-node
run fake/oshrun --hosts n1:1,n2:1 ./program
expect_code 1
expect_line 'oshrun: node n[12]: skerry-node did not start (SKERRY_SSH=*): hello'
printf '#!/bin/sh\nprintf "\\001skerry-node frames\\n\\006\\037\\0\\0\\0\\005\\0\\0\\0\\0\\0\\0\\0000.1.0\\002\\0\\0\\0\\0\\0\\0\\0n1\\001\\0\\0\\0\\0\\0\\0\\0"; sleep 5' >fake/skerry-node
run fake/oshrun --hosts n1:1,n2:1 ./program
expect_code 1
expect_line 'oshrun: node n[12] has version 0.1.0 of Skerry, and this oshrun is version *'
rm fake/skerry-node
run fake/oshrun --hosts n1:1,n2:1 ./program
expect_line 'oshrun: skerry-node is missing in the folder of oshrun: install Skerry again'
expect_nothing_left

# The output of a shell's start-up file does no harm.
# shellcheck disable=SC2016
printf '#!/bin/sh\necho Welcome; node=$1; shift; exec sh "$LAB_SCRIPT" on "$node" "$@"\n' >greeting
chmod +x greeting
LAB_SCRIPT=$lab SKERRY_SSH=./greeting run "$oshrun" --hosts n1:1,n2:1 ./program
expect_code 0
run "$SKERRY_BIN/skerry-node"
expect_code 2
expect_line '*skerry-node is started by oshrun --hosts, and not by users'
finish
