#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A tuning file that belongs to another user is not read, neither by oshrun nor by a program without a launcher.
. "$(dirname "$0")/common.sh"
[ "$(id -u)" = 0 ] || skip "only root can give a file to another user"
[ -r /proc/cpuinfo ] || skip "this system does not say what its processor is"
unset SKERRY_TUNING SKERRY_COPY
export SKERRY_CACHE="$work/cache" SHMEM_DEBUG=1
cat >program.c <<'END'
#include <shmem.h>
int main(void) {
    shmem_init();
    shmem_finalize();
    return 0;
}
END
"$SKERRY_BIN/oshcc" program.c -o program || exit 1
run "$oshrun" -n 1 ./program
expect_code 0 "first job"
file=$(echo "$SKERRY_CACHE"/*.tuning)
printf 'skerry tuning 1\nstream_from=77777\n' >"$file"

run ./program
grep -q 'stream_from=77777' err || fail "its own file is not read: $(cat err)"
chown 65534 "$file" || skip "files cannot be given away here"
run ./program
expect_code 0 "without a launcher"
grep -q 'stream_from=77777' err && fail "a program reads the file of another user"
run "$oshrun" -n 1 ./program
expect_code 0 "with a launcher"
grep -q 'stream_from=77777' err && fail "oshrun reads the file of another user"
[ "$(stat -c %u "$file")" = 0 ] || fail "the file of another user is not replaced"
grep -q '^measured in' "$file" || fail "nothing was measured: $(cat "$file")"
finish
