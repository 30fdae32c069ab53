/* SPDX-License-Identifier: BSD-3-Clause
 * The cells of src/shmem/broadcast.c. Any PE may be the root of broadcast k. The root sends k to cell k modulo CELLS of
 * every other PE, to each of them after that PE has ended broadcast k - CELLS.
 * Checks that every PE reads the payload of its own broadcast, and that no PE waits for ever.
 * Mistake: -DWITHOUT_ROOM the root does not wait for the receiver, so a receiver reads the payload of a later
 * broadcast.
 */
// check: holds
// check: fails -DWITHOUT_ROOM
#define PES 3
#define ROUNDS 5
#define CELLS 2

byte payload[PES * CELLS];
byte sequence[PES * CELLS];
byte taken[PES];
byte root[ROUNDS + 1];
#define CELL(at, k) ((at) * CELLS + (k) % CELLS)

proctype pe(byte me) {
    byte k, i;
    do
    :: k < ROUNDS ->
        k++;
        if
        :: root[k] == me ->
            i = 0;
            do
            :: i < PES && i != me ->
#ifndef WITHOUT_ROOM
                taken[i] + CELLS >= k;
#endif
                payload[CELL(i, k)] = k;
                sequence[CELL(i, k)] = k;
                i++
            :: i < PES && i == me -> i++
            :: else -> break
            od
        :: else ->
            sequence[CELL(me, k)] >= k;
            assert(payload[CELL(me, k)] == k)
        fi;
        taken[me] = k
    :: else -> break
    od
}

init {
    byte k;
    atomic {
        for (k : 1 .. ROUNDS) {
            if
            :: root[k] = 0
            :: root[k] = 1
            :: root[k] = 2
            fi
        }
        run pe(0);
        run pe(1);
        run pe(2)
    }
}
