/* SPDX-License-Identifier: BSD-3-Clause
 * The chip's on-chip network, included by models that define PES and PLACES (number of words of a PE's memory). A store
 * does not wait for its arrival. Stores of one PE to one other PE arrive in order, through a queue of ROOM stores; no
 * other stores are ordered. A load from another PE's memory waits for the answer, and travels on a mesh of its own.
 * LOAD_BEHIND is the order that Coduin (2016) (docs/bibliography.md) gives: a load is executed after all earlier stores of
 * its core to the same PE. LOAD_PAST is a load that may be executed before those stores, for code that does not rely on
 * the order. A store to ILATST sets the interrupt's latch.
 */
#ifndef ROOM
#define ROOM 2
#endif
#define ILATST 255

chan link[PES * PES] = [ROOM] of { byte, byte }; /* place, value */
byte memory[PES * PLACES];
bit latch[PES];
#define WORD(pe, place) memory[(pe) * PLACES + (place)]
#define LINK(from, to) link[(from) * PES + (to)]

#define LOAD_BEHIND(from, to) empty(LINK(from, to))
#define LOAD_PAST(from, to) true

inline arrive(at, place, value) {
    if
    :: place == ILATST -> latch[at] = 1
    :: else -> WORD(at, place) = value
    fi
}

inline store(from, to, place, value) {
    atomic {
        if
        :: from == to -> arrive(to, place, value)
        :: else -> LINK(from, to)!place, value
        fi
    }
}

/* Delivers the stores of PE `from` to PE `to`. A model runs one for each pair of PEs that needs it. */
proctype deliver(byte from, to) {
    byte place, value;
end: do
    :: atomic { LINK(from, to)?place, value -> arrive(to, place, value); place = 0; value = 0 }
    od
}
