// SPDX-License-Identifier: BSD-3-Clause
// The check of collectives of groups with members on several nodes (src/shmem/check_far.c): leaders of nodes send ARRIVE to
// member 0. A process of member 0's node counts the message at member 0's record of the group, or in a slot if member 0 has
// not arrived. Member 0 sends RELEASE when all have arrived. Two groups have the same member 0, and there is one slot. A
// handler of a message runs in the process of its sender here, one access of memory at a time.
// Checked: an arrival is counted for the collective that its sender is in; nobody waits for ever; at the end the slot is free.
// Mistakes that must be found:
//     -DNO_RECORD      a handler counts in slots only
//     -DANY_STATE      a handler also counts at a record that is COMPLETE
//     -DNO_USES        a handler does not look whether the slot was used again while it read its group
//     -DNO_SERIAL      the same for the record
//     -DLOOK_ONCE      member 0 looks at the slots when it arrives, and then only at its record
//     -DRELEASE_FIRST  member 0 sends RELEASE before it frees the slots and sets COMPLETE; found without the barrier
// -DNO_BARRIER: a leader begins its next collective when it is released. This holds: the barrier is for the comparison.
// check: holds
// check: holds -DNO_BARRIER
// check: fails -DNO_RECORD
// check: fails -DANY_STATE
// check: fails -DNO_USES
// check: fails -DNO_SERIAL
// check: fails -DLOOK_ONCE
// check: fails -DNO_BARRIER -DRELEASE_FIRST
// check: large -DTIMES=3
#ifndef TIMES
#define TIMES 2 // number of collectives of each group
#endif
#define OTHERS(g) (3 - (g)) // number of leaders in group g: leaders 0 and 1 are in group 1, leader 1 is in group 2

#define FREE 0
#define CLAIMED 1
#define ARRIVED 2
#define COMPLETE 3

byte state, serial, group, nodes; // the record of member 0
byte slot_state, slot_uses, slot_group, slot_nodes;
byte released[3];                 // [group]: number of collectives whose leaders are released
byte passed[3];                   // [group]: number of members that have entered the barrier of a collective
byte record_round, slot_round;    // the collective that is counted there; only for assertions

// Counts an arrival at the record. `done` is true if the record is that of the group.
inline count_at_record(g, round) {
    done = false;
    seen = serial;
    if
    :: state == ARRIVED -> done = true
#ifdef ANY_STATE
    :: state == COMPLETE -> done = true
#endif
    :: else
    fi;
    if
    :: done && group != g -> done = false
    :: else
    fi;
#ifndef NO_SERIAL
    if
#ifdef ANY_STATE
    :: done && state != ARRIVED && state != COMPLETE -> done = false
#else
    :: done && state != ARRIVED -> done = false
#endif
    :: else
    fi;
    if
    :: done && serial != seen -> done = false
    :: else
    fi;
#endif
    if
    :: done -> atomic { assert(group == g && record_round == round); nodes++ }
    :: else
    fi
}

inline count_in_slot(g, round) {
    done = false;
    atomic { seen = slot_uses; found = slot_state }
    if
    :: found == ARRIVED && slot_group == g -> done = true
    :: else
    fi;
#ifndef NO_USES
    atomic {
        if
        :: done && (slot_uses != seen || slot_state != ARRIVED) -> done = false
        :: else
        fi
    }
#endif
    if
    :: done -> atomic { assert(slot_group == g && slot_round == round && slot_state == ARRIVED); slot_nodes++ }
    :: else ->
        atomic {
            if
            :: slot_state == FREE -> slot_state = CLAIMED; done = true
            :: else
            fi
        }
        if
        :: done ->
            slot_group = g;
            atomic { slot_nodes = 1; slot_round = round }
            slot_state = ARRIVED
        :: else
        fi
    fi
}

inline collective_of_leader(g) {
    rounds[g]++;
    do
    :: true ->
#ifndef NO_RECORD
        count_at_record(g, rounds[g]);
        if
        :: done -> break
        :: else
        fi;
#endif
        count_in_slot(g, rounds[g]);
        if
        :: done -> break
        :: else -> // refused: it is sent again when something has changed
#ifdef NO_RECORD
            slot_state == FREE || (slot_state == ARRIVED && slot_group == g)
#else
            slot_state == FREE || (slot_state == ARRIVED && slot_group == g) || (state == ARRIVED && group == g)
#endif
        fi
    od;
    released[g] >= rounds[g];
#ifndef NO_BARRIER
    passed[g]++;
    passed[g] >= rounds[g] * (OTHERS(g) + 1)
#endif
}

proctype leader(byte me) {
    byte seen, found;
    bool done;
    byte rounds[3];
    do
    :: rounds[1] < TIMES && (me == 0 || rounds[1] == rounds[2]) -> collective_of_leader(1)
    :: me == 1 && rounds[1] > rounds[2] -> collective_of_leader(2)
    :: rounds[1] == TIMES && (me == 0 || rounds[2] == TIMES) -> break
    od
}

inline look() {
    total = nodes;
    atomic {
        if
        :: slot_state == ARRIVED && slot_group == g -> total = total + slot_nodes
        :: else
        fi
    }
}

inline take_slot() {
    atomic {
        if
        :: slot_state == ARRIVED && slot_group == g ->
            assert(slot_round == round);
            slot_state = FREE;
            slot_uses++
        :: else
        fi
    }
}

active proctype first() {
    byte round, g, total, slots;
    run leader(0);
    run leader(1);
    for (round : 1 .. TIMES) {
        for (g : 1 .. 2) {
            state = CLAIMED;
            serial++;
            group = g;
            atomic { nodes = 0; record_round = round }
            state = ARRIVED;
#ifdef LOOK_ONCE
            nodes = nodes;
            look();
            slots = total - nodes;
            nodes + slots == OTHERS(g);
#else
            do
            :: look(); if
                       :: total == OTHERS(g) -> break
                       :: else -> nodes == OTHERS(g) || (slot_state == ARRIVED && slot_group == g)
                       fi
            od;
#endif
            assert(total <= OTHERS(g));
#ifdef RELEASE_FIRST
            released[g] = round;
            take_slot();
            state = COMPLETE;
#else
            take_slot();
            state = COMPLETE;
            released[g] = round;
#endif
#ifndef NO_BARRIER
            passed[g]++;
            passed[g] >= round * (OTHERS(g) + 1);
#endif
            state = FREE
        }
    }
    (_nr_pr == 1);
    assert(slot_state == FREE)
}
