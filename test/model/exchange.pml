/* SPDX-License-Identifier: BSD-3-Clause
 * The cells of src/primitive/exchange.h. In exchange k each PE stores k into its cell at every other PE, in half k
 * modulo HALVES, and reads its own cells of that half.
 * Checks that two halves are enough: no PE reads the payload of a later exchange.
 * Mistake: with -DHALVES=1 a PE does. Numbers have 64 bits if the code has cells, so they never wrap.
 */
// check: holds
// check: fails -DHALVES=1
#define PES 3
#define ROUNDS 4
#ifndef HALVES
#define HALVES 2
#endif

byte payload[PES * PES * HALVES];
byte sequence[PES * PES * HALVES];
#define CELL(at, from, k) (((at) * PES + (from)) * HALVES + (k) % HALVES)

active [PES] proctype pe() {
    byte k, i;
    do
    :: k < ROUNDS ->
        k++;
        i = 0;
        do
        :: i < PES && i != _pid ->
            payload[CELL(i, _pid, k)] = k;
            sequence[CELL(i, _pid, k)] = k;
            i++
        :: i < PES && i == _pid -> i++
        :: else -> break
        od;
        i = 0;
        do
        :: i < PES && i != _pid ->
            sequence[CELL(_pid, i, k)] >= k;
            assert(payload[CELL(_pid, i, k)] == k);
            i++
        :: i < PES && i == _pid -> i++
        :: else -> break
        od
    :: else -> break
    od
}
