#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# In an allocation of Slurm oshrun starts the nodes by srun. Skipped if this machine has no Slurm.
# waits: yes
. "$(dirname "$0")/common.sh"
start_slurm 3
build_with_library program
build_with_library failing
unset SKERRY_SSH

run salloc -Q -N 3 "$oshrun" --hosts n2:2,n3:1,n1:1 --stats ./program
expect_code 0
[ "$(sort out)" = "0 of 4 on n2
1 of 4 on n2
2 of 4 on n3
3 of 4 on n1" ] || fail "places: $(sort out) $(cat err)"
grep -q 'started by srun' err || fail "$(cat err)"

run salloc -Q -N 3 "$oshrun" --hosts n1:2,n2:2,n3:1 ./failing crash 3
expect_code 139
grep -q 'oshrun on n2: PE 3 (process .*) was killed by signal 11' err || fail "$(cat err)"

# Without --hosts the job runs on the nodes of the allocation: a PE for each task, or for each processor.
run salloc -Q -N 2 -w n2,n3 -n 4 "$oshrun" ./program
expect_code 0
[ "$(sort out | sed 's/.* on //' | uniq -c | xargs)" = "2 n2 2 n3" ] || fail "tasks: $(cat out err)"
run salloc -Q -N 2 -w n1,n2 "$oshrun" ./program
[ "$(sort out | sed 's/.* on //' | uniq -c | xargs)" = "4 n1 4 n2" ] || fail "processors: $(cat out err)"
cat >batch.sh <<END
#!/bin/sh
"$oshrun" -n 3 ./program >batch.out 2>&1
srun -n 1 -N 1 "$oshrun" -n 2 ./program >step.out 2>&1
echo done >>batch.out
END
run sbatch -N 2 -n 4 -w n1,n3 -o slurm.out batch.sh
is_done() { grep -qs done batch.out; }
wait_until is_done || wait_until is_done || fail "sbatch: $(cat out err slurm.out batch.out)"
[ "$(grep -c 'of 3 on n[13]' batch.out)" -eq 3 ] || fail "sbatch: $(cat batch.out)"
[ "$(grep -c 'of 2 on n[13]' step.out)" -eq 2 ] || fail "in a step of srun: $(cat step.out)"

# skerry info names the nodes of the allocation, and in a step of srun only the node on which it runs.
run salloc -Q -N 2 -w n1,n3 -n 4 "$SKERRY_BIN/skerry" info
expect_code 0 info
grep -q '^nodes  *2  *(of the Slurm allocation)$' out || fail "info: $(tail -3 out) $(cat err)"
[ "$(sed -n 's/^node \(n[13]\): .*transports.*tcp.*, for 2 PEs$/\1/p' out | xargs)" = "n1 n3" ] || fail "info: $(tail -3 out)"
run srun -N 2 -w n1,n3 --ntasks-per-node=1 "$SKERRY_BIN/skerry" info --node
[ "$(sed -n 's/^node \(n[13]\): processors .*tcp.*$/\1/p' out | sort | xargs)" = "n1 n3" ] || fail "info --node: $(cat out err)"

# An oshrun that a PE starts runs its job on the PE's node, and not on all nodes of the allocation.
run salloc -Q -N 2 -w n1,n2 "$oshrun" --hosts head:1 sh -c "'$oshrun' -n 2 ./program"
expect_code 0
[ "$(grep -c 'of 2 on head' out)" -eq 2 ] || fail "started by a PE here: $(cat out err)"
run salloc -Q -N 2 -w n1,n2 "$oshrun" --hosts n1:1,n2:1 sh -c "'$oshrun' -n 2 ./program"
expect_code 0
[ "$(sed 's/.* on //' out | sort | uniq -c | xargs)" = "2 n1 2 n2" ] || fail "started by PEs of a job: $(cat out err)"

# The user has named no hosts, so the message names the allocation.
run salloc -Q -N 2 -w n1,n2 -n 3 "$oshrun" -n 4 ./program
expect_code 2
expect_line 'oshrun: -n 4: more PEs than the Slurm allocation allows: it has 3 slots'

# A node of the allocation without PEs is not mentioned.
run salloc -Q -N 2 -w n1,n2 "$oshrun" -n 2 ./program
expect_code 0
expect_silence

# A node outside the allocation, and one that Slurm does not know.
run salloc -Q -N 1 -w n1 "$oshrun" --hosts n1:1,n2:1 ./program
expect_code 1
grep -q '^oshrun: node n2: srun has not started skerry-node: srun: error: ' err || fail "$(cat err)"
wait_until nothing_left || fail "left behind: $(left | head -3)"
run "$oshrun" --launcher srun --hosts n1:1,nowhere:1 ./program
expect_code 1
expect_line 'oshrun: node nowhere: srun has not started skerry-node: srun: error: Unable to allocate resources: Invalid node name specified'

# Too few slots, and too many PEs. The nodes have answered by then, so srun has a job of Slurm.
no_job() { [ -z "$(squeue -h -t pending,running)" ]; }
run "$oshrun" --launcher srun -n 9 --hosts n1:2,n2:2 ./program
expect_code 2
expect_line 'oshrun: -n 9: more PEs than the hosts allow: the numbers after their names allow 4'
wait_until no_job || fail "too few slots: the job stays: $(squeue)"
run "$oshrun" --launcher srun --hosts n1:900,n2:900 ./program
expect_code 2
expect_line 'oshrun: 1800 PEs on 2 hosts: a job can have at most 1024 PEs'
wait_until no_job || fail "too many PEs: the job stays: $(squeue)"
wait_until nothing_left || fail "left behind: $(left | head -3)"

# The daemon of Slurm does not run on a node. srun itself takes 20 s, and first names another node.
wait_until idle || wait_until idle || fail "not idle: $(sinfo -N)"
daemon=$(sh "$lab" on n2 pgrep -x slurmd | head -1)
sh "$lab" on n2 kill -STOP "$daemon"
begun=$(date +%s)
run "$oshrun" --launcher srun --hosts n1:1,n2:1,n3:1 ./program
seconds=$(($(date +%s) - begun))
sh "$lab" on n2 kill -CONT "$daemon"
expect_code 1
expect_line "oshrun: node n2: Slurm's daemon slurmd does not answer there: no sign of life for 7 s, and srun has not started skerry-node"
[ "$seconds" -lt 17 ] || fail "a stopped slurmd: ended after $seconds s"
wait_until nothing_left || fail "left behind: $(left | head -3)"

# If a node is cut off, oshrun cancels the job of Slurm that its srun has requested.
waits() { grep -qs waits out; }
wait_until idle || wait_until idle || fail "not idle: $(sinfo -N)"
: >out
"$oshrun" --launcher srun --hosts n1:1,n2:1 ./program wait 1000 >out 2>err &
job=$!
wait_until waits || fail "did not start: $(cat err)"
sh "$lab" cut n2
wait "$job"
code=$?
expect_code 1
grep -qx 'oshrun: node n2 (PE 1) does not answer: no sign of life for 7 s; job stopped' err || fail "cut: $(cat err)"
wait_until no_job || fail "the job stays: $(squeue)"

# A request that waits for nodes is withdrawn. If scancel fails, a line tells how to end the job.
run "$oshrun" --launcher srun --timeout 2 --hosts n1:1,n2:1 ./program
expect_code 124
wait_until no_job || fail "the request stays: $(squeue)"
mkdir bin
printf '#!/bin/sh\nexit 1\n' >bin/scancel
chmod +x bin/scancel
: >out
PATH=$work/bin:$PATH "$oshrun" --launcher srun --hosts n1:1,n3:1 ./program wait 1000 >out 2>err &
job=$!
wait_until waits || fail "did not start: $(cat err)"
sh "$lab" cut n3
wait "$job"
grep -q "^oshrun: Slurm's job [0-9]* possibly still runs, because scancel has not ended it; to end it: scancel [0-9]*\$" err ||
    fail "no line about the job: $(cat err)"
finish
