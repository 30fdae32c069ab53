#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Masters that start programs on clusters (the programs of ../mppa): arguments, environment, exit codes, a second program on a
# cluster; segments, atomics, conditions and memory of the DDR; queues; mistakes; the example of the guide.
# Usage: programs.sh FOLDER, which has oshcc and oshrun, SOURCES
. "$(dirname "$0")/common.sh"
sources=$2/test/mppa
machine=$2/test/mppa_machine
guide=$2/docs/guide/mppa.md
build() { # kind, name
    oshcc --machine mppa "--mppa=$1" -O2 -g "$sources/$2.c" -o "$2" -w || fail "$2 does not compile"
}
run() { # command's words behind oshrun's options; the output is in `out`, the exit code in $code
    code=0
    oshrun --machine mppa --quiet --max-cycles 60000000 "$@" >out 2>&1 || code=$?
}
expect() { # text
    [ "$code" -eq 0 ] && [ "$(cat out)" = "$1" ] || fail "exit code $code, not '$1': $(cat out)"
}

build io start_io
build cluster start_cluster
run -x STARTED_FROM=here ./start_io 16 start_cluster
[ "$code" -eq 0 ] && [ "$(tail -n 1 out)" = "sum of codes 120" ] || fail "16 programs: $(cat out)"
[ "$(grep -c '^cluster [0-9]* of here$' out)" -eq 16 ] || fail "16 programs: $(cat out)"
run -x STARTED_FROM=here ./start_io 4 start_cluster 3
[ "$code" -eq 0 ] && [ "$(tail -n 1 out)" = "sum of codes 18" ] || fail "three rounds: $(cat out)"
run ./start_io 1 start_cluster large
[ "$code" -eq 0 ] && [ "$(tail -n 1 out)" = 'result -1' ] &&
    grep -q '^skerry: PE 0: cannot start start_cluster for cluster 0: arguments and environment do not fit external memory$' out ||
    fail "large arguments: exit code $code: $(cat out)"
mkdir other
mv start_io other
run -x STARTED_FROM=here other/start_io 2 start_cluster # in the working directory
[ "$(tail -n 1 out)" = "sum of codes 1" ] || fail "from the working directory: $(cat out)"

build io segments_io
build cluster segments_cluster
for clusters in 1 4 16; do
    run ./segments_io $clusters
    expect well
done
build io queues_io
build cluster queues_cluster
for clusters in 1 3; do
    run ./queues_io $clusters
    expect well
done

build io mistakes_io
mistake() { # which, text
    run ./mistakes_io "$1"
    [ "$code" -eq 1 ] && grep -q "^skerry: PE 0: $2" out || fail "$1: exit code $code: $(cat out)"
}
mistake many 'mppa_rpc_server_init: nb_cluster 17: must be 1 to 16'
mistake early 'mppa_async_poke: called before mppa_async_server_init'
mistake client 'mppa_rpc_client_init: only a program on a cluster may call this routine'
mistake cluster 'mppa_power_base_spawn: cluster 16: '
mistake again 'mppa_async_segment_create: ident 5 is already used by another segment'
mistake shmem 'shmem_init: this job runs several programs'
mistake free 'mppa_async_free: offset 0x1000: '
run ./mistakes_io missing # mppa_power_base_spawn returns -1, as on Linux
grep -q 'cannot start there_is_no_such_program for cluster 0: there is no such program' out || fail "missing: $(cat out)"
cp /bin/sh no_program
run other/start_io 1 no_program
[ "$code" -eq 9 ] && grep -q '^skerry: PE 0: cannot start no_program for cluster 0: ' out ||
    fail "a program for Linux: $(cat out)"
echo 'int main(void) { return 0; }' >plain.c
oshcc --machine mppa-cluster -fopenmp plain.c -o plain
run other/start_io 1 plain
[ "$code" -eq 9 ] && grep -q 'cannot start plain for cluster 0: it is no program for a cluster' out ||
    fail "one for a cluster alone: $(cat out)"

# Programs that do not fit, and segments that do not.
echo 'static char memory[3 << 20]; int main(void) { return *(volatile char *)(memory + 5); }' >large.c
for kind in io cluster; do
    if oshcc --machine mppa --mppa=$kind large.c -o large >out 2>&1; then fail "large.c compiles for $kind"; fi
    grep -q '^oshcc: the program does not fit the memory of mppa: .* [0-9]* bytes too large$' out || fail "large.c: $(cat out)"
done
# Slightly too large: the code, static data and the least heap are more than 2 MB.
echo 'static char memory[1950000]; int main(void) { return *(volatile char *)(memory + 5); }' >large.c
for kind in io cluster; do
    if oshcc --machine mppa --mppa=$kind large.c -o large >out 2>&1; then fail "1,950,000 bytes fit $kind"; fi
    grep -q '^oshcc: the program does not fit the memory of mppa: .* [0-9]* bytes too large$' out || fail "1950000: $(cat out)"
    ! grep -q 'symmetric' out || fail "a program without a symmetric heap: $(cat out)"
done
echo '__attribute__((section(".behind"))) int behind = 1; int main(void) { return behind; }' >behind.c
oshcc --machine mppa --mppa=cluster behind.c -Wl,--section-start=.behind=0x40200000 -o behind
run other/start_io 1 behind # returns 9 if a program does not start
[ "$code" -eq 9 ] || fail "behind: exit code $code: $(cat out)"
grep -q 'cannot start behind for cluster 0: it does not fit the memory of a cluster: 0x' out || fail "behind: $(cat out)"

oshcc --machine mppa --mppa=io -O2 "$machine/ends_io.c" -o ends_io
oshcc --machine mppa --mppa=cluster -O2 "$machine/ends_cluster.c" -o ends_cluster
wrong() { # text, words of ends_io
    text=$1
    shift
    run ./ends_io "$@"
    [ "$code" -eq 1 ] && grep -q "^skerry: PE $text" out || fail "ends_io $*: exit code $code: $(cat out)"
}
wrong '0: mppa_async_segment_create: local 0x[0-9a-f]*, size 0x300000: must be memory of this program' segment
wrong '0: mppa_async_segment_create: local 0x[0-9a-f]*, size 0x80000000: must be memory of this program' 'large segment'
wrong '0: mppa_async_segment_create: local 0x[0-9a-f]*, size 0x40: must be memory of this program' 'other segment'
wrong '0: mppa_async_evalcond: local 0x[0-9a-f]*: must be memory of this program' 'other word'
wrong '0: mppa_async_segment_create: size 65536: 16 such messages need [0-9]* bytes, and queues have 262144 in all' queue
cat >no_dequeue.c <<'END'
#include <mppa_async.h>
#include <mppa_power.h>
int main(int argc, char **argv) {
    static long long word;
    if (argc > 1) mppa_power_base_spawn(0, argv[1], NULL, NULL, 0);
    mppa_async_segment_t queue;
    mppa_rpc_server_init(1, 0, 1);
    mppa_async_server_init();
    return mppa_async_segment_create(&queue, 1, &word, sizeof word, MPPA_ASYNC_SEGMENT_FLAG_QUEUE0, 0, NULL);
}
END
oshcc --machine mppa --mppa=io no_dequeue.c -o no_dequeue
run ./no_dequeue
[ "$code" -eq 1 ] && grep -q ': flags: this program has no memory for a queue, because it never calls mppa_async_dequeue$' out ||
    fail "no_dequeue: exit code $code: $(cat out)"
cat >no_spawn.c <<'END'
#include <mppa_async.h>
#include <string.h>
int main(int argc, char **argv) {
    static long long word;
    mppa_async_segment_t segment;
    mppa_rpc_server_init(1, 0, 1);
    mppa_async_server_init();
    if (!strcmp(argv[argc - 1], "mppa_async_put")) mppa_async_put(&word, mppa_async_default_segment(0), 0, sizeof word, NULL);
    if (!strcmp(argv[argc - 1], "mppa_async_segment_clone")) mppa_async_segment_clone(&segment, 7, NULL, 0, NULL);
    if (!strcmp(argv[argc - 1], "mppa_rpc_server_start")) mppa_rpc_server_start();
    return mppa_async_server_final();
}
END
oshcc --machine mppa --mppa=io -O2 no_spawn.c -o no_spawn
for routine in mppa_async_put mppa_async_segment_clone mppa_rpc_server_start; do
    run ./no_spawn $routine
    [ "$code" -eq 1 ] && grep -q "^skerry: PE 0: $routine: .* starts none: it must call mppa_power_base_spawn\$" out ||
        fail "no_spawn $routine: exit code $code: $(cat out)"
done
run ./no_spawn nothing
[ "$code" -eq 0 ] || fail "no_spawn: exit code $code: $(cat out)"
wrong '0: mppa_power_base_waitpid: cluster -1: must be 0 to 15' missing
# Programs that end: a cluster's while others use its memory, its queue or its cores, and the master's while a cluster runs.
wrong '0: a put, get or atomic: pe 1: its program has ended' put
wrong '0: mppa_async_enqueue: server 0: the program there, which owns the queue, has ended' enqueue
wrong '0: mppa_async_enqueue: server 0: the program there, which owns the queue, has ended' full
run ./ends_io unjoined # the end of the master ends all programs
[ "$code" -eq 0 ] && [ ! -s out ] || fail "ends_io unjoined: exit code $code: $(cat out)"
# A cluster's program that is killed, and one that crashes.
run ./ends_io abort
[ "$code" -eq 134 ] && grep -q '^skerry: PE 1: abort: signal 6 of thread 0 kills the program of cluster 0; job stopped$' out ||
    fail "ends_io abort: exit code $code: $(cat out)"
run ./ends_io crash
[ "$code" -eq 124 ] && grep -q '^skerry-sim: core ([0-9,]*) 0x[0-9a-f]* of cluster 0 (ends_cluster): store of 4 bytes at ' out ||
    fail "ends_io crash: exit code $code: $(cat out)"
# A cluster that waits for ever, while its master waits for its end.
oshcc --machine mppa --mppa=io -O2 -g "$machine/ends_io.c" -o ends_io
oshcc --machine mppa --mppa=cluster -O2 -g "$machine/ends_cluster.c" -o ends_cluster
for what in 'lost word' 'lost message'; do
    run ./ends_io "$what"
    [ "$code" -eq 124 ] && grep -q '^skerry-sim: deadlock in cycle [0-9]*: ' out &&
        grep -q 'called from main at ends_cluster\.c:[0-9]*: polls ' out &&
        grep -q 'called from main at ends_io\.c:[0-9]*: polls .*<skerry_outcomes+' out ||
        fail "$what: exit code $code: $(cat out)"
done
run ./ends_io final
[ "$code" -eq 0 ] && [ ! -s out ] || fail "ends_io final: exit code $code: $(cat out)"
run ./ends_io again ends_cluster # the queue of the first program is not one of the second
expect 'result -1 of 3'
echo 'int main(void) { return 0; }' >empty.c
oshcc --machine mppa --mppa=cluster empty.c -o empty
wrong '1: a message to a queue or segment: PE 0 has sent it to this PE.s program, which has none' again empty
oshcc --machine mppa --mppa=cluster -O2 "$machine/ends_threads.c" -o ends_threads
run other/start_io 1 ends_threads
expect 'sum of codes 0'
run other/start_io 1 ends_threads 2
[ "$code" -eq 1 ] && grep -q '^skerry: PE 1: mppa_power_base_spawn: another program .* of the earlier one still run: 1$' out ||
    fail "ends_threads: exit code $code: $(cat out)"

refuse() { # text, words
    text=$1
    shift
    run "$@"
    [ "$code" -eq 125 ] && grep -q -- "$text" out || fail "$*: exit code $code: $(cat out)"
}
refuse '-n 2: the program starts the programs of the other PEs: must be 1' -n 2 ./segments_io 1
refuse '--cores: the program starts programs on all clusters: must be all' --cores 2 ./segments_io 1

# Breakpoints are in the programs that have the place, of each start.
run -x STARTED_FROM=here --break start_cluster.c:9 --break start_io.c:38 --break no_such_symbol other/start_io 2 start_cluster 2
[ "$code" -eq 0 ] || fail "--break: exit code $code: $(cat out)"
[ "$(grep -c '^skerry-sim: break <main.*> at .*/start_cluster\.c:[0-9]*$' out)" -eq 4 ] || fail "--break in a cluster: $(cat out)"
[ "$(grep -c '^skerry-sim: break <main.*> at .*/start_io\.c:[0-9]*$' out)" -eq 1 ] || fail "--break in the master: $(cat out)"
grep -q '^skerry-sim: --break no_such_symbol: no program of the job has this place; the first one: ' out ||
    fail "--break without a place: $(cat out)"

# Reports have the functions and lines of each program, and each program once.
build cluster start_cluster
run -x STARTED_FROM=here --json run.json --report run.html --trace run.trace other/start_io 2 start_cluster 2
[ "$code" -eq 0 ] || fail "reports: exit code $code: $(cat out)"
grep -q '"name":"main"' run.json || fail "the counters lack main of the master"
[ "$(grep -o '"name":"main (start_cluster)"' run.json | wc -l)" -eq 3 ] || # of two cores, and of all together
    fail "main of start_cluster occurs not 3 times in the counters"
[ "$(grep -o '"program":"start_cluster"' run.json | wc -l)" -eq 34 ] || fail "not 34 cores have executed start_cluster"
grep -q '"name":"main (start_cluster)"' run.trace || fail "the trace lacks main of start_cluster"
for file in start_io start_cluster; do
    grep -q "test/mppa/$file.c" run.html || fail "the report lacks lines of $file.c"
done
if oshcc --machine smp-16 --mppa=io "$sources/start_io.c" >out 2>&1; then fail "oshcc --machine smp-16 --mppa=io"; fi
grep -q "^oshcc: --mppa: smp-16 offers OpenMP only; machines that offer MPPA's names: mppa$" out || fail "smp-16: $(cat out)"

# The example of the guide.
awk '/^```c$/ { inside = 1; file = ""; next } /^```$/ { inside = 0 }
    inside && file == "" { file = $2 } inside && (file == "master.c" || file == "cluster.c") { print > file }' "$guide"
oshcc --machine mppa --mppa=io -O2 master.c -o master
oshcc --machine mppa --mppa=cluster -O2 cluster.c -o cluster
run ./master
expect '0 1 4 9 16 25 36 49 64 81 100 121 '
