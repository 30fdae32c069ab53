#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What this processor does best is measured before its first job, kept in the user's cache, and handed to every PE.
. "$(dirname "$0")/common.sh"
unset SKERRY_TUNING SKERRY_COPY
export SKERRY_CACHE="$work/cache"
[ -r /proc/cpuinfo ] || skip "this system does not say what its processor is"

cat >program.c <<'END'
#include <shmem.h>
int main(void) {
    shmem_init();
    shmem_finalize();
    return 0;
}
END
"$SKERRY_BIN/oshcc" program.c -o program || exit 1
show='echo "${SKERRY_JOB##*tuning=}"'
kept() { sed -n 2p "$SKERRY_CACHE"/*.tuning; }

# The first job measures; its PEs agree; only the user can read the file.
run "$oshrun" -n 3 sh -c "$show"
expect_code 0 "first job"
[ "$(ls "$SKERRY_CACHE" | wc -l)" -eq 1 ] || fail "not one file: $(ls "$SKERRY_CACHE")"
[ "$(stat -c %a "$SKERRY_CACHE"/*.tuning)" = 600 ] || fail "others may read the file"
[ "$(sort -u out)" = "$(kept)" ] || fail "PEs have $(sort -u out), kept is $(kept)"
grep -q '^measured in' "$SKERRY_CACHE"/*.tuning || fail "nothing was measured: $(cat "$SKERRY_CACHE"/*.tuning)"
"$SKERRY_BIN/skerry" info >out
grep -qF "$(kept)" out || fail "skerry info does not tell"

# The second takes what is there.
file=$(echo "$SKERRY_CACHE"/*.tuning)
loop=$(kept | sed 's/^copy=\([^ ]*\) .*/\1/')
printf 'skerry tuning 1\ncopy=%s string_from=1 stream_from=77777\n' "$loop" >"$file"
run "$oshrun" -n 2 sh -c "$show"
expect_out "$(kept)
$(kept)"
SHMEM_DEBUG=1 run "$oshrun" -n 1 ./program
grep -q 'stream_from=77777' err || fail "the program does not use it: $(cat err)"
SHMEM_DEBUG=1 run ./program
grep -q 'stream_from=77777' err || fail "a program without a launcher does not use it: $(cat err)"

# The environment overrules, and may refuse.
SHMEM_DEBUG=1 SKERRY_TUNING="stream_from=88888" run "$oshrun" -n 1 ./program
grep -q 'string_from=1 .*stream_from=88888' err || fail "SKERRY_TUNING is not heard: $(cat err)"
SHMEM_DEBUG=1 SKERRY_TUNING=none run "$oshrun" -n 1 ./program
grep -q 'stream_from=77777' err && fail "SKERRY_TUNING=none is not heard: $(cat err)"
for wrong in stream_from stream_from= stream_from=x stream_from=-1 stream_from=99999999999999999999 queue_moments_back=4097 nothing=1; do
    SKERRY_TUNING="string_from=1 $wrong" run "$oshrun" -n 1 ./program
    [ "$code" -ne 0 ] || fail "SKERRY_TUNING=$wrong is accepted"
    grep -qF "$wrong" err || fail "SKERRY_TUNING=$wrong: $(cat err)"
done

# Values that this processor or library does not know stop no job; a file of another form is measured again.
printf 'skerry tuning 1\ncopy=none stream_from=1\n' >"$file"
SHMEM_DEBUG=1 run "$oshrun" -n 1 ./program
expect_code 0 "a loop that is not here"
grep -q 'copy=none' err && fail "takes a loop that is not here"
for wrong in queue_moments_back=4000000000 poll_pauses=65 stream_from=99999999999999999999 stream_from=-1; do
    printf 'skerry tuning 1\ncopy=%s %s\n' "$loop" "$wrong" >"$file"
    run "$oshrun" -n 1 ./program
    expect_code 0 "kept: $wrong"
    grep -q 'measured in' "$file" || fail "a kept $wrong is believed: $(kept)"
done
SKERRY_COPY=string "$SKERRY_BIN/skerry" info | grep -q 'tuning overruled *SKERRY_COPY=string' ||
    fail "skerry info does not tell what the environment overrules"
HOME="$work/no-such-home" SKERRY_CACHE= XDG_CACHE_HOME= run "$oshrun" -n 1 ./program
expect_code 0 "no home"
[ ! -e "$work/no-such-home" ] || fail "a home was made"
printf 'skerry tuning 0\ncopy=none\n' >"$file"
run "$oshrun" -n 1 ./program
expect_code 0 "an old file"
grep -q '^measured in' "$file" || fail "an old file is not replaced"

# Nothing is taken from behind a link, and a cache that cannot be written to is done without.
mv "$file" elsewhere
ln -s "$work/elsewhere" "$file"
SKERRY_TUNING=none run "$oshrun" -n 1 ./program
expect_code 0 "a link"
[ -L "$file" ] || fail "SKERRY_TUNING=none writes"
run "$oshrun" -n 1 ./program
[ -L "$file" ] && fail "the link was followed"
SKERRY_CACHE=/proc/nothing run "$oshrun" -n 1 ./program
expect_code 0 "no place"
expect_silence

# Two first jobs at a time.
rm -f "$file"
"$oshrun" -n 1 ./program &
"$oshrun" -n 1 ./program || fail "one of two first jobs"
wait $! || fail "the other of two first jobs"
run "$SKERRY_BIN/skerry" tune --wrong
expect_code 2
expect_line 'skerry: tune: --wrong: *'
run "$SKERRY_BIN/skerry" tune --dry-run
expect_code 0
finish
