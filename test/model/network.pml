/* SPDX-License-Identifier: BSD-3-Clause
 * The chip's network, for the models that include this; they define PES and PLACES, the words of a PE's memory. Writes are
 * posted: those of one PE to one other come in order, through a queue of ROOM, and nothing else has an order. A load of
 * another PE's memory waits for its answer; it travels on a mesh of its own. LOAD_BEHIND is what S2 gives, a load behind
 * all that its core has stored at the same PE; LOAD_PAST may pass those stores, for code that does not count on it.
 * A store to ILATST latches the interrupt there.
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

/* Run one for each pair in which somebody stores. */
proctype deliver(byte from, to) {
    byte place, value;
end: do
    :: atomic { LINK(from, to)?place, value -> arrive(to, place, value); place = 0; value = 0 }
    od
}
