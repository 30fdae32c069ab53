#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# srun starts the PEs themselves, on two nodes, through Slurm's plugin for PMIx. Skipped if this machine has no Slurm, or
# if its Slurm has no such plugin.
NODES=5
# waits: yes
. "$(dirname "$0")/common.sh"
start=$SKERRY_BIN/../lib/skerry/start
[ -f "$start/pmix.so" ] || skip "this build has no module for PMIx (libpmix-dev)"
start_slurm 5
srun --mpi=list 2>&1 | grep -qw pmix || skip "this Slurm has no plugin for PMIx"
unset SKERRY_SSH PMIX_NAMESPACE PMIX_RANK
unset SKERRY_PMIX
export UCX_TLS=tcp,self
cp "$here/../pmix/pe.c" .
build_pe() { "$SKERRY_BIN/oshcc" -O1 -g "$1.c" -o "$1" || exit 1; }
build_pe pe
# Another program: its static data has another size, so symmetric objects are at other places.
{ cat pe.c; echo 'long more_data[5000] = {1};'; } >other.c
build_pe other
# The same layout: only one character differs.
sed 's/wrong sum/wrong sun/' pe.c >twin.c
build_pe twin

no_pe_left() { [ -z "$(ps -eo args= | awk -v program="$PWD/pe" '$1 == program')" ]; }

# on_nodes NODES PES COMMAND...: leaves $code, out and err, with the lines of out sorted
on_nodes() {
    nodes=$1 pes=$2
    shift 2
    run srun -Q --mpi=pmix -w "$nodes" -N "$(echo "$nodes" | tr ',' '\n' | wc -l)" -n "$pes" "$@" </dev/null
    sort -o out out
}

# expect_one_line PATTERN WHAT: the library has written one line, which matches a pattern of grep
expect_one_line() {
    [ "$(grep -c '^skerry: ' err)" -eq 1 ] || fail "$2: expected one line of skerry, got: $(head -c 700 err)"
    grep -q "^skerry: $1\$" err || fail "$2: expected \"$1\", got: $(head -c 700 err)"
}

# The processes of a node do not call shmem_init. The PEs of the others wait at most 60 seconds. This job runs beside the rest.
cat >late.sh <<'END'
#!/bin/sh
[ "$(hostname)" != n5 ] || exec sleep 100
exec "$@"
END
chmod +x late.sh
mkdir late
(cd late && exec timeout -k 5 100 srun -Q --overcommit --mpi=pmix -w n3,n4,n5 -N 3 -n 6 "$work/late.sh" "$work/pe" >out 2>err </dev/null) &
late=$!
begin=$(date +%s)

# The program, or the module for PMIx, is missing on n2, or on n1, the node of PE 0. Slurm lets the other PEs go on.
expect_absent_node() { # NODE SECONDS WHAT PROGRAM [LINE]
    now=$(date +%s)
    on_nodes n1,n2 4 "$4"
    [ "$code" -ne 0 ] || fail "$3: exit code 0"
    [ $(($(date +%s) - now)) -lt "$2" ] || fail "$3: the job has taken $(($(date +%s) - now)) seconds"
    expect_one_line "${5:-PE [0-3]: shmem_init: no process of this job runs on node $1: the program, or a library that it needs, is missing there, or it has ended without shmem_init}" "$3"
}
sh "$lab" on n1 cp pe /dev/shm/pe
expect_absent_node n2 30 "no program on n2" /dev/shm/pe
sh "$lab" on n2 cp pe /dev/shm/pe
sh "$lab" on n1 rm /dev/shm/pe
expect_absent_node n1 45 "no program on n1" /dev/shm/pe
sh "$lab" on n2 mount -t tmpfs empty "$start"
expect_absent_node n2 10 "no module for PMIx" "$PWD/pe" 'PE [23]: a PMIx launcher has started this program (PMIX_NAMESPACE is set), and the module for PMIx cannot be loaded on node n2: .*'
sh "$lab" on n2 umount -l "$start"

on_nodes n1,n2 4 "$PWD/pe"
expect_code 0 "two nodes"
expect_out "PE 0 of 4
PE 1 of 4
PE 2 of 4
PE 3 of 4"
expect_silence

# Each process has a container of its own: namespaces for users and mounts, as "srun ... apptainer exec image.sif ./prog"
# makes them. The program has its path only inside.
if unshare -U -r -m true 2>/dev/null; then
    mkdir image inside
    cp pe image/
    cat >in-container <<END
#!/bin/sh
exec unshare -U -r -m sh -c 'mount --bind "$PWD/image" "$PWD/inside" && exec "\$@"' sh "\$@"
END
    chmod +x in-container
    on_nodes n1,n2 4 "$PWD/in-container" "$PWD/inside/pe"
    expect_code 0 "containers"
    expect_out "PE 0 of 4
PE 1 of 4
PE 2 of 4
PE 3 of 4"
    expect_silence
    on_nodes n1,n2 4 "$PWD/in-container" "$PWD/inside/pe" crash
    expect_code 139 "crash in a container"
    expect_one_line 'PE 0: PE 1 (process [0-9]*) on node n1 was killed by signal 11 (Segmentation fault); job stopped' "crash in a container"
fi

# Each failure ends the job on both nodes, with the exit code that the guide promises.
fails() { # MODE CODE LINE
    on_nodes n1,n2 4 "$PWD/pe" "$1"
    expect_code "$2" "$1"
    expect_one_line "$3" "$1"
}
fails global 5 'PE 1: called shmem_global_exit with status 5; job stopped'
fails exit 7 'PE 1: exited with code 7; job stopped'
fails wrong 1 'PE 1: shmem_ctx_destroy: SHMEM_CTX_DEFAULT cannot be destroyed'
fails crash 139 'PE 0: PE 1 (process [0-9]*) on node n1 was killed by signal 11 (Segmentation fault); job stopped'
fails kill 1 'PE 0: PE 1 (process [0-9]*) on node n1 was killed, or ended without shmem_finalize; job stopped'

# Other programs at the same path, on another node and on the same node.
for program in other twin; do
    sh "$lab" on n2 mount --bind "$PWD/$program" "$PWD/pe"
    on_nodes n1,n2 4 "$PWD/pe"
    expect_code 1 "$program on n2"
    expect_one_line 'PE 0: PE 2 on node n2 runs another program than PE 0 on node n1: their files differ; all PEs of a job must run the same program' "$program on n2"
    sh "$lab" on n2 umount -l "$PWD/pe"
    printf '0,2 %s/pe\n1,3 %s/%s\n' "$PWD" "$PWD" "$program" >programs
    on_nodes n1 4 --multi-prog programs
    expect_code 1 "$program on n1"
    expect_one_line 'PE 0: PE [13] on node n1 runs another program than PE 0 on node n1: their files differ; all PEs of a job must run the same program' "$program on n1"
done

# Another version of the library and its modules on n2: copies in which the hash of the sources is changed.
library=$(readlink -f "$SKERRY_BIN/../lib/libskerry.so")
build=$("$SKERRY_BIN/skerry" info | sed -n 's/^build  *\([^ ]*\) .*/\1/p')
other=${build%????????}00000000
changed="$library $start/pmix.so $start/../network/ucx.so"
for file in $changed; do
    copy=$PWD/other.${file##*/}
    LC_ALL=C sed "s/$build/$other/g" "$file" >"$copy"
    chmod 755 "$copy"
    sh "$lab" on n2 mount --bind "$copy" "$file"
done
on_nodes n1,n2 4 "$PWD/pe"
expect_code 1 "another version on n2"
expect_one_line "PE 0: PE 2 on node n2 uses version $other of Skerry, and PE 0 on node n1 uses version $build; all PEs must use the same version" "another version on n2"
for file in $changed; do sh "$lab" on n2 umount -l "$file"; done

# The module for UCX is missing on n2.
sh "$lab" on n2 mount -t tmpfs empty "$start/../network"
on_nodes n1,n2 4 "$PWD/pe"
expect_code 1 "no UCX"
expect_one_line 'PE [23]: shmem_init: this job has several nodes, and the network module cannot be loaded on node n2: .*' "no UCX"
sh "$lab" on n2 umount -l "$start/../network"

wait "$late"
code=$? seconds=$(($(date +%s) - begin))
[ "$seconds" -lt 90 ] || fail "no shmem_init: the job has taken $seconds seconds"
[ "$code" -ne 0 ] || fail "no shmem_init: exit code 0"
[ "$(grep -c 'shmem_init' late/err)" -eq 1 ] || fail "no shmem_init: expected one line: $(head -c 1500 late/err)"
grep -q '^skerry: PE 0: shmem_init: PE 0 has waited 65 seconds for the PEs on other nodes (n4, n5); a PE there has not called shmem_init, has ended, or cannot be reached; all processes that the launcher starts must call it$' late/err ||
    fail "no shmem_init: $(head -c 1500 late/err)"
wait_until no_pe_left || fail "processes are left"
finish
