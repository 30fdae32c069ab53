#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A host program starts a master on the simulated chip (the programs of ../mppa): messages in both directions, arguments, exit
# codes, cycles that do not depend on the host program; the end of each side ends the other, with one line.
# Usage: pcie.sh FOLDER, which has oshcc and oshrun, SOURCES
. "$(dirname "$0")/common.sh"
bin=$1
sources=$2/test/mppa
"$bin/oshcc" --mppa=host -O2 -g "$sources/pcie_host.c" -o pcie_host || fail "pcie_host does not compile"
cat >crash_cluster.c <<'END'
int main(void) {
    int *volatile nowhere = (int *)16;
    return *nowhere = 1;
}
END
cat >crash_io.c <<'END'
#include <mppa_power.h>
int main(void) {
    mppa_power_base_spawn(3, "crash_cluster", 0, 0, 0);
    return mppa_power_base_waitpid(3, 0, 0);
}
END
"$bin/oshcc" --machine mppa --mppa=io -O2 -g "$sources/pcie_io.c" -o pcie_io || fail "pcie_io does not compile"
"$bin/oshcc" --machine mppa --mppa=io -O2 -g crash_io.c -o crash_io || fail "crash_io does not compile"
"$bin/oshcc" --machine mppa --mppa=cluster -O2 -g crash_cluster.c -o crash_cluster || fail "crash_cluster does not compile"
run() { # what of the host program, I/O program and its arguments
    code=0
    what=$1
    shift
    timeout -k 5 60 ./pcie_host "$what" all.mpk "$@" >out 2>err || code=$?
}
expect() { # code, pattern of the first line of messages, words of run
    expected=$1
    line=$2
    shift 2
    run "$@"
    [ $code -eq "$expected" ] || fail "$*: exit code $code: $(head -c 300 err)"
    # shellcheck disable=SC2254
    case $(head -n 1 err) in
    $line) ;;
    *) fail "$*: expected $line, got: $(head -c 300 err)" ;;
    esac
}
expect_one_line() { # the same; there is one line only
    expect "$@"
    [ "$(wc -l <err)" -eq 1 ] || fail "more than one line: $(head -c 600 err)"
}
expect 12 '' messages pcie_io
[ "$(cat out)" = "the I/O program has ended: 12" ] || fail "messages: $(cat out)"
expect_one_line 0 'skerry: pcie_load_io_exec: cannot start pcie_io: the I/O program that was started on this device before still runs' \
    twice pcie_io
expect 0 '' exit pcie_io say "two words" '' 3
[ "$(cat out)" = 'argument 1: "say"
argument 2: "two words"
argument 3: ""
argument 4: "3"
the I/O program has ended: 0' ] || fail "arguments: $(cat out)"
expect 7 '' exit pcie_io return
expect 7 '' exit pcie_io quit
expect 0 '' barrier pcie_io time
cp out first
expect 0 '' late pcie_io time
cmp -s first out || fail "not the same cycles: $(cat first out)"
cycles=$(sed -n 's/ cycles$//p' out)
[ "$cycles" -ge 1000 ] && [ "$cycles" -lt 2000 ] || fail "a barrier of $cycles cycles"

expect 124 'skerry-sim: core * store of 4 bytes at 0x00000010*' barrier pcie_io crash
[ "$(grep -c '^skerry' err)" -eq 1 ] || fail "crash: $(cat err)"
expect_one_line 1 'skerry: PE 0: mppa_power_base_spawn: cluster 77: *' barrier pcie_io wrong
expect_one_line 1 'skerry: PE 0: mppa_power_base_spawn: cluster 77: *' exit pcie_io wrong
expect_one_line 7 'skerry: pcie_queue_barrier: the I/O program (pcie_io) has ended with exit code 7 *' barrier pcie_io return
expect_one_line 1 'skerry: pcie_queue_barrier: the I/O program (pcie_io) does not call this routine: *' barrier pcie_io early
expect_one_line 1 'skerry: PE 0: pcie_queue_barrier: the host program does not call this routine: *' exit pcie_io barrier
expect_one_line 0 'skerry: pcie_close: the I/O program (pcie_io, process *) still runs: it is stopped now' close pcie_io spin
expect 124 'skerry-sim: core *' exit crash_io
[ "$(grep -c '^skerry' err)" -eq 1 ] || fail "a cluster's crash: $(cat err)"

# The host program is killed while the I/O program computes, and while it waits in a barrier.
runs() { # process
    case $(ps -o stat= -p "$1") in '' | Z*) return 1 ;; esac
}
for what in spin barrier; do
    ./pcie_host sleep all.mpk pcie_io $what >out 2>err &
    host=$!
    simulator=
    for _ in $(seq 200); do
        simulator=$(ps -o pid= --ppid $host | tr -d ' ')
        [ -z "$simulator" ] || break
        sleep 0.05
    done
    [ -n "$simulator" ] || fail "$what: the I/O program did not start"
    sleep 0.3
    kill -9 $host
    wait $host 2>/dev/null || true
    for _ in $(seq 200); do
        runs "$simulator" || break
        sleep 0.05
    done
    if runs "$simulator"; then fail "$what: the I/O program still runs"; fi
    [ "$(cat err)" = "skerry-sim: the host program (process $host) has ended; job stopped" ] || fail "$what: $(cat err)"
done
