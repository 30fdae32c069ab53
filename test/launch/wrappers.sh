#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# oshcc and oshc++ add what is needed, where it is needed, and change nothing else.
. "$(dirname "$0")/common.sh"
oshcc=$SKERRY_BIN/oshcc
unset SKERRY_CHECK SKERRY_CC SKERRY_CXX

shows() { # pattern, arguments
    pattern=$1
    shift
    run "$oshcc" -showme "$@"
    expect_code 0 "$*"
    # shellcheck disable=SC2254
    case $(cat out) in
    $pattern) ;;
    *) fail "oshcc $*: $(cat out)" ;;
    esac
}
hides() {
    text=$1
    shift
    run "$oshcc" -showme "$@"
    if grep -q -e "$text" out; then fail "oshcc $*: $(cat out)"; fi
}
shows 'cc a.c -I*/include -L* -lskerry*' a.c
shows "cc a.c '-DX=a b' -o 'x y' -I*" a.c '-DX=a b' -o 'x y'
shows 'cc -c a.c -I*' -c a.c
for option in -c -E -S -M -MM -fsyntax-only; do hides lskerry $option a.c; done
hides lskerry -v
hides lskerry -o program
hides lskerry -I folder
shows '*-lskerry*' -o program a.o
shows '*-x none -L*-lskerry*' -x c -
shows '*-DSKERRY_CHECK*skerry/check.o*' --check a.c
hides check.o --check -c a.c
hides rpath -static a.c
hides rpath -static-pie -fPIE a.c
shows '*-DSKERRY_NO_INLINE*' --no-inline a.c
hides no-inline --no-inline a.c
SKERRY_CHECK=1 shows '*-DSKERRY_CHECK*check.o*' a.c
SKERRY_CHECK=0 hides SKERRY_CHECK a.c
SKERRY_CC='ccache gcc' shows 'ccache gcc a.c *' a.c

run "$oshcc" --header-only a.c
expect_code 2 "header-only"
grep -q -e 'header-only: needs --machine NAME' err || fail "header-only: $(cat err)"
for word in "--machine=" "--machine"; do # no name, as from a variable that is not set
    run "$oshcc" a.c "$word" ""
    expect_code 2 "$word with an empty name"
done
run "$oshcc" --machine epiphany-iii --header-only a.c b.c
expect_code 2 "header-only of two"
grep -q 'must have one source file' err || fail "header-only of two: $(cat err)"

run "$oshcc" -showme:compile a.c
case $(cat out) in -I*) ;; *) fail "compile: $(cat out)" ;; esac
grep -q lskerry out && fail "compile links: $(cat out)"
run "$oshcc" -showme:link a.c
case $(cat out) in -L*-lskerry*) ;; *) fail "link: $(cat out)" ;; esac
run "$oshcc" -showme:version
grep -q '^oshcc (Skerry) [0-9]' out || fail "version: $(cat out)"
run "$oshcc" -showme:nonsense
expect_code 2 "nonsense"
run "$oshcc" --help
grep -q -- --check out || fail "help: $(cat out)"
for file in "$SKERRY_BIN"/../share/skerry/machines/*.toml; do # --help names each chip that is described
    file=${file##*/}
    [ "$file" = '*.toml' ] || grep -q -e "--machine.* ${file%.toml}, " out || fail "help without ${file%.toml}: $(cat out)"
done
run "$SKERRY_BIN/oshc++" -showme a.cc
case $(cat out) in 'c++ a.cc -I'*) ;; *) fail "oshc++: $(cat out)" ;; esac
cp out expected
for name in oshcxx oshCC; do # other names of it
    run "$SKERRY_BIN/$name" -showme a.cc
    cmp -s out expected || fail "$name: $(cat out)"
    run "$SKERRY_BIN/$name" -showme:version
    grep -q "^$name (Skerry) [0-9]" out || fail "$name -showme:version: $(cat out)"
    run "$SKERRY_BIN/$name" --help
    grep -q "^Usage: $name " out || fail "$name --help: $(cat out)"
    run "$SKERRY_BIN/$name" -showme:nonsense
    expect_line "$name: -showme:nonsense: must be *"
done

# A machine that is not there, and a programming model that a machine has not.
if [ -x "$SKERRY_BIN/skerry-sim" ]; then
    for machine in nosuch '' 'a b' -x; do
        [ -n "$machine" ] || continue
        run "$oshcc" "--machine=$machine" a.c
        expect_code 2 "$machine"
        expect_line "oshcc: --machine $machine: no such machine; there are epiphany-1024, *, riscv-16, *, smp-16"
    done
    for machine in ../x nosuch.toml; do
        run "$oshcc" --machine "$machine" a.c
        expect_code 2 "$machine"
        expect_line "oshcc: --machine $machine: there is no such file; machines with names are epiphany-1024, *"
    done
    echo 'based_on = "nosuch"' >wrong.toml
    run "$oshcc" --machine wrong.toml a.c
    expect_code 2 "wrong.toml"
    grep -q '^oshcc: .*wrong.toml' err || fail "wrong.toml: $(cat err)"
    if grep -q skerry-sim err; then fail "wrong.toml: $(cat err)"; fi
    for option in --hosts --host -H --hostfile --launcher; do
        run "$SKERRY_BIN/oshrun" --machine sarc-16 $option a ./program
        expect_code 2 "$option"
        expect_line "oshrun: $option: not for a chip; it is for jobs on several Linux nodes"
    done
fi

# A remote procedure call with too many arguments is refused, also with options for lists of dependencies, which stay right.
if "${CC:-cc}" -x c -aux-info /dev/null -fsyntax-only /dev/null 2>/dev/null; then
    parameters='int a, int b, int c, int d, int e, int g, int h, int i'
    printf '#include <shmemx.h>\nint f(int *p%s) { return *p; }\nRPC(f)\n' '' >few.c
    printf '#include <shmemx.h>\nint f(int *p%s) { return *p; }\nRPC(f)\n' ", $parameters" >many.c
    for options in '' -MD '-MMD -MP' '-MD -MF list.d -MT target' '-Wp,-MD,list.d'; do
        # shellcheck disable=SC2086 # several words
        SKERRY_CC=${CC:-cc} run "$oshcc" $options -c few.c -o few.o
        expect_code 0 "few arguments, $options"
        # shellcheck disable=SC2086
        SKERRY_CC=${CC:-cc} run "$oshcc" $options -c few.c many.c
        expect_code 1 "many arguments, $options"
        expect_line "oshcc: many.c:3: RPC(f): its integers and pointers need 9 registers, and a call sends *"
    done
    SKERRY_CC=${CC:-cc} run "$oshcc" -MD -MF list.d -MT target -c few.c -o few.o
    grep -q '^target: few.c' list.d || fail "list of dependencies: $(head -c 300 list.d)"
fi

# A compiler that is not there.
run env SKERRY_CC=nosuch "$oshcc" a.c
expect_code 127 SKERRY_CC
expect_line "oshcc: SKERRY_CC=nosuch: nosuch: there is no such program in PATH"
run env SKERRY_CC="./nosuch -O2" "$oshcc" a.c
expect_line "oshcc: SKERRY_CC=./nosuch -O2: ./nosuch: there is no such program in PATH"
run env SKERRY_CXX=nosuch "$SKERRY_BIN/oshc++" a.cc
expect_line "oshc++: SKERRY_CXX=nosuch: nosuch: there is no such program in PATH"

# --check takes no value.
run "$oshcc" --check=foo a.c
expect_code 2 "--check=foo"
expect_line "oshcc: --check=foo: --check takes no value"

# The compiler's own words get through, spaces and all.
mkdir 'a folder'
echo 'extern int puts(const char *); int main(void) { return puts(TEXT) < 0; }' >'a folder/a file.c'
run "$oshcc" '-DTEXT="two  spaces"' -c 'a folder/a file.c' -o 'a folder/a file.o'
expect_code 0 "compile with spaces"
run cc 'a folder/a file.o' -o plain
run ./plain
expect_out "two  spaces"
run "$oshcc" -c /no/such/file.c
[ "$code" -ne 0 ] || fail "the compiler's failure is lost"
finish
