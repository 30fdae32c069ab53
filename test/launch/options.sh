#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Wrong use is one line and an exit code of its own; right use is understood in all its spellings.
. "$(dirname "$0")/common.sh"

refuse() {
    expected=$1
    pattern=$2
    shift 2
    run "$oshrun" "$@"
    expect_code "$expected" "oshrun $*"
    expect_line "oshrun: $pattern"
}
: >plain
mkdir folder
printf '\177ELF nonsense' >broken
printf '#!/no/such/interpreter\n' >script
printf '#! /bin/sh\r\nexit 0\r\n' >foreign
echo 'int main(void) { return 0; }' >lost.c
build lost "-Wl,--dynamic-linker=/no/such/loader"
chmod +x broken script foreign

refuse 2 '-n 0: *' -n 0 true
refuse 2 '-n -3: *' -n -3 true
refuse 2 '-n many: *' -n many true
refuse 2 '-n 1025: *1024' -n 1025 true
refuse 2 '-n 99999999999: *' -n 99999999999 true
refuse 2 '-n 2x: *' -n 2x true
refuse 2 "-n '': the number of PEs must be 1 to 1024" -n "" true
refuse 2 "-n '': the number of PEs must be 1 to 1024" --np= true
refuse 2 "--bind '': *" --bind "" true
refuse 2 "--timeout '': *" --timeout "" true
refuse 2 '--heap *: *' --heap "" true
refuse 2 '--heap *: *' --heap= true
refuse 2 "-x '': must be NAME or NAME=VALUE" -x "" true
refuse 2 '-n 3: the option must be given only once; -n 2 was given before' -n 2 -n 3 true
refuse 2 '--bind core: the option must be given only once; --bind none was given before' --bind none --bind core true
refuse 2 '-n: must be followed by its value*' -n
refuse 2 '-np: must be followed by its value*' -np
refuse 2 '-n: must be followed by its value*' -n --stats true
refuse 2 '--heap: must be followed by its value*' -n 2 --heap
refuse 2 'no program given*' -n 2
refuse 2 'no program given*'
refuse 2 '--frobnicate: no such option*' --frobnicate true
refuse 2 '-q: no such option*' -n 2 -q true
refuse 2 '--bind moon: *' --bind moon true
refuse 2 '--timeout soon: *' --timeout soon true
refuse 2 '--timeout 0: *' --timeout 0 true
refuse 2 '--timeout -1: *' --timeout -1 true
refuse 127 'no-such-program: *not found*' no-such-program
refuse 127 './no/such/program: No such file or directory' ./no/such/program
refuse 126 './plain: is not executable' ./plain
refuse 126 './folder: is a directory*' ./folder
refuse 126 './broken: Exec format error' -n 2 ./broken
refuse 126 './script: its interpreter /no/such/interpreter: No such file or directory' -n 2 ./script
refuse 126 './foreign: its interpreter /bin/sh (a carriage return follows this name: the file has Windows line ends): No such file or directory' ./foreign
refuse 126 './lost: its loader /no/such/loader: No such file or directory' ./lost

for spelling in '-n 3' '-n3' '-np 3' '--np 3' '--np=3' '-np=3'; do
    # shellcheck disable=SC2086
    run "$oshrun" $spelling sh -c 'echo $SKERRY_PES'
    expect_out "3
3
3"
done

# Options of the program are its own.
run "$oshrun" -n 1 echo -n 5 --stats -- -x
[ "$(cat out)" = "5 --stats -- -x" ] || fail "$(cat out)"
run "$oshrun" -n 1 -- printf '%s\n' --help
expect_out "--help"

run "$oshrun" --help
expect_code 0 "--help"
grep -q -- --tag-output out || fail "no help: $(cat out)"
run "$oshrun" --version
expect_code 0 "--version"
grep -q '^oshrun (Skerry) [0-9]' out || fail "$(cat out)"

# A script without an interpreter line runs in the shell, and a program in this folder needs no "./".
echo 'echo from a script' >bare
chmod +x bare
run "$oshrun" -n 1 bare
expect_out "from a script"
finish
