// SPDX-License-Identifier: BSD-3-Clause
// LR and SC at the word's home (sim/memory/memory.hpp): the memory that has the word keeps the reservations, one for each
// core. LR and SC are requests that the home executes when they arrive. Two cores add 1 to the word by LR and SC. A third
// core stores a value that the word has had before: a store is on its way for a while, and ends the reservations when it
// arrives.
// Checked: between an LR and the SC that succeeds nothing has written the word, not even the same value; an SC fails only if
// something has, so of several cores that try one always goes on; an SC that failed has written nothing.
// Mistakes that must be found:
//     -DVALUE          SC succeeds if the word has the value that LR has read
//     -DSTORE_KEEPS    a store does not end reservations
//     -DSC_KEEPS       an SC ends only the reservation of its own core
//     -DAT_THE_CORE    SC looks only whether its own core has executed an LR
//     -DONE_ONLY       the home has one reservation for all cores: SC can fail although nothing was written
// check: holds
// check: fails -DVALUE
// check: fails -DSTORE_KEEPS
// check: fails -DSC_KEEPS
// check: fails -DAT_THE_CORE
// check: fails -DONE_ONLY
#define CORES 2
#define TIMES 2

byte word;
byte writes; // number of writes of the word: for the assertions only
bool reserved[CORES];
bool is_on_its_way;
byte stored;

inline end_all() {
    reserved[0] = false;
    reserved[1] = false
}

inline load_reserved(me) {
    atomic {
        value = word;
        writes_seen = writes;
#ifdef ONE_ONLY
        end_all();
#endif
        reserved[me] = true
    }
}

inline store_conditional(me) {
    atomic {
        if
#if defined(VALUE)
        :: word == value -> succeeds = true
#elif defined(AT_THE_CORE)
        :: true -> succeeds = true
#else
        :: reserved[me] -> succeeds = true
#endif
        :: else -> succeeds = false
        fi;
        assert(succeeds == (writes == writes_seen));
        if
        :: succeeds ->
            word = value + 1;
            writes++;
#ifdef SC_KEEPS
            reserved[me] = false
#else
            end_all()
#endif
        :: else -> reserved[me] = false
        fi
    }
}

proctype adds(byte me) {
    byte value, writes_seen, n = 0;
    bool succeeds;
    do
    :: n < TIMES ->
        load_reserved(me);
        store_conditional(me);
        if
        :: succeeds -> n++
        :: else
        fi
    :: else -> break
    od
}

/* A store of the third core, and its way. */
proctype stores() {
    byte n = 0;
    do
    :: n < TIMES ->
        stored = word;
        is_on_its_way = true;
        !is_on_its_way;
        n++
    :: else -> break
    od
}

proctype arrives() {
end: do
    :: atomic {
        is_on_its_way ->
        word = stored;
        writes++;
#ifndef STORE_KEEPS
        end_all();
#endif
        is_on_its_way = false
    }
    od
}

init {
    atomic {
        run adds(0);
        run adds(1);
        run stores();
        run arrives()
    }
}
