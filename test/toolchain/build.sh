#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# toolchain/build with a recipe of three small stages: what is done is not repeated, what was stopped goes on, what was killed
# begins again, what failed says why, two at once build once, and nothing unfinished has the name of something finished.
set -u
build=$(cd "$(dirname "$0")/../../toolchain" && pwd)/build
work=$(mktemp -d)
trap 'touch "$work/go"; rm -rf "$work"' EXIT
export SKERRY_CACHE="$work/cache" TRACE="$work/trace" GATE="$work"
failures=0

fail() {
    echo "build.sh: $*"
    failures=$((failures + 1))
}

cat >"$work/recipe.sh" <<'R'
components=thing
stages="one two three"
space_needed=1
declare -A seconds_of=([one]=1 [two]=1 [three]=1) files_of=([one]=1 [two]=1 [three]=1)
needs() { :; }
version_of() { echo 1.0; }
stage_one() { echo one >>"$TRACE"; }
stage_two() {
    echo "two $in_order" >>"$TRACE"
    echo "a line of the log"
    until [ -e "$GATE/go" ]; do sleep 0.05; done
    [ ! -e "$GATE/broken" ]
}
stage_three() {
    echo three >>"$TRACE"
    mkdir "$tools/bin"
    printf '#!/bin/sh\n' >"$tools/bin/epiphany-elf-gcc"
    chmod +x "$tools/bin/epiphany-elf-gcc"
}
R

run() { timeout 60 "$build" --recipe "$work/recipe.sh" >"$work/out" 2>"$work/err"; }
start() { "$build" --recipe "$work/recipe.sh" >"$work/$1.out" 2>"$work/$1.err" & }
nothing_finished() { [ -z "$(find "$SKERRY_CACHE" -maxdepth 1 -name '*-1.0-*' ! -name '*.building')" ]; }
expect_trace() {
    ran=$(tr '\n' ' ' <"$TRACE")
    [ "$ran" = "$1 " ] || fail "$2: stages \"$ran\" instead of \"$1\""
}
in_stage_two() { [ "$(grep -c two "$TRACE")" -eq "$1" ]; }
wait_until() {
    tries=200
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || { fail "waited in vain for: $*"; return; }
        sleep 0.05
    done
}

mkdir "$SKERRY_CACHE"
start stopped
build_id=$!
wait_until grep -qs two "$TRACE"
kill -TERM "$build_id"
wait "$build_id"
code=$?
[ "$code" -eq 143 ] || fail "stopped: exit code $code"
grep -q "continues from this stage" "$work/stopped.err" || fail "stopped: $(cat "$work/stopped.err")"
nothing_finished || fail "stopped: something looks finished"

start killed
build_id=$!
wait_until grep -qs "two yes" "$TRACE"
kill -KILL "$build_id"
wait "$build_id" 2>/dev/null
nothing_finished || fail "killed: something looks finished"

# What the killed one left running still holds the lock.
touch "$work/broken"
start failed
build_id=$!
wait_until grep -qs waiting "$work/failed.err"
touch "$work/go"
wait "$build_id" && fail "a stage that failed went unnoticed"
grep -q "two failed" "$work/failed.err" || fail "failed: $(cat "$work/failed.err")"
grep -q "a line of the log" "$work/failed.err" || fail "failed: the log is not shown"
nothing_finished || fail "failed: something looks finished"
expect_trace "one two no two yes two no" "stopped, killed, failed"

rm "$work/broken" "$work/go"
start first
first=$!
wait_until in_stage_two 4
start second
second=$!
wait_until grep -qs waiting "$work/second.err"
touch "$work/go"
wait "$first" || fail "first: $(cat "$work/first.err")"
wait "$second" || fail "second: $(cat "$work/second.err")"
expect_trace "one two no two yes two no two no three" "two at once"
cmp -s "$work/first.out" "$work/second.out" || fail "two at once print different folders"
[ -x "$(cat "$work/first.out")/epiphany-elf-gcc" ] || fail "no programs in $(cat "$work/first.out")"
[ -z "$(find "$SKERRY_CACHE" -name '*.building')" ] || fail "the work folder is left"

run || fail "finished: $(cat "$work/err")"
[ ! -s "$work/err" ] || fail "finished: $(cat "$work/err")"
expect_trace "one two no two yes two no two no three" "finished"

sed -i 's/^space_needed=.*/space_needed=1000000000/' "$work/recipe.sh"
run && fail "no space went unnoticed"
grep -q "free, and the build needs" "$work/err" || fail "no space: $(cat "$work/err")"

# A component that may be missing.
{
    sed 's/^space_needed=.*/space_needed=1/; s/^components=.*/components="other thing" optional_component=other/; s/^version_of.*/version_of() { [ "$1" = thing ] \&\& echo 1.0; }/' "$work/recipe.sh"
    echo 'keep_apt_private() { :; }'
    echo 'stage_one() { echo "one $components" >>"$TRACE"; }'
} >"$work/optional.sh"
: >"$TRACE"
timeout 60 "$build" --recipe "$work/optional.sh" >"$work/out" 2>"$work/err" || fail "optional: $(cat "$work/err")"
grep -q "no sources of other.*: the tools will have no C++ library" "$work/err" || fail "optional: $(cat "$work/err")"
expect_trace "one thing  two no three" "optional"
sed -i 's/ optional_component=other//' "$work/optional.sh"
timeout 60 "$build" --recipe "$work/optional.sh" >"$work/out" 2>"$work/err" && fail "a missing component went unnoticed"
grep -q "no sources of other, neither in /usr/src" "$work/err" || fail "a missing component: $(cat "$work/err")"
[ "$failures" -eq 0 ]
