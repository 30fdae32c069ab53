#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Operations on another PE with an address at which no PE has memory: a null pointer, an address near one, memory of no
# cluster, the DDR of an I/O node that is no PE, code. Each one stops the job with a message, and changes no other memory.
# Usage: wild_address.sh FOLDER, which has oshcc and oshrun, SOURCES
. "$(dirname "$0")/common.sh"
sources=$2/test/mppa_machine

oshcc --machine mppa -O2 -g -Wall "$sources/wild_address.c" -o wild_address || fail 'wild_address.c does not compile'
refuse() { # operation, address, text
    code=0
    oshrun --machine mppa --quiet --max-cycles 20000000 -n 2 ./wild_address "$1" "$2" >out 2>&1 || code=$?
    [ "$code" -ne 0 ] || fail "$1 $2: exit code 0: $(cat out)"
    grep -q "$3" out || fail "$1 $2: $(cat out)"
    ! grep -q 'not refused' out || fail "$1 $2: $(cat out)"
}
for address in 0x0 0x10 0x48000000 0x50000000 0x58000080 0x82400000 0xa0000000 0xe0000000; do
    for operation in p s g w n a i t; do
        refuse $operation $address "^skerry: PE 0: a put, get or atomic: address $address: no PE has memory there\$"
        grep -q '^skerry-sim: PE 0 exited with code 1 after a call in main \(at\|near\) wild_address\.c:[0-9]*; job stopped$' out ||
            fail "$operation $address: no place: $(cat out)"
    done
done
refuse f 0x0 'load of 8 bytes at 0x00000000, where a program has no data' # the core itself reads the source
for operation in p s; do
    refuse $operation code 'where no memory is that can be written'
done
