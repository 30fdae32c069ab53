// SPDX-License-Identifier: BSD-3-Clause
// Credits for the slots of a queue (src/aos/credits.c). Two PEs send messages to the queue of an owner, whose server executes
// their jobs one after the other. A slot is promised before a message takes its ticket. A PE with a credit sends a message and
// does not wait. A PE without one asks for a slot; if there is no room, it takes the credits of the other PE and gives them
// back to the queue. A thread of the owner enqueues too. Credits and answers of the server to a PE arrive in order. In the
// middle the owner ends the queue and makes another one, whose credits use the same words; the handle of a PE is for one of
// the two.
// Checked: no ticket is taken for a slot that is not free; every message is in the queue of its handle, or was sent before the
// end of this queue was known and is dropped; at the end each promise is a ticket or an unused credit; nobody waits forever.
// Mistakes that must be found:
//     -DTICKET_FIRST   the owner's thread takes its ticket before its slot is promised
//     -DLOAD_AND_STORE a promise is a load and a store, not a compare-swap
//     -DKEEP_CREDITS   the owner does not take the credits of the first queue back
//     -DNO_WAIT        the owner takes them back before its server has executed earlier jobs
// check: holds
// check: large -DFIRST=3
// check: fails -DTICKET_FIRST
// check: fails -DLOAD_AND_STORE
// check: fails -DKEEP_CREDITS -DFIRST=4 -DOWN=0
// check: fails -DNO_WAIT -DFIRST=4 -DOWN=0
#define CAPACITY 2
#define PES 2
#ifndef FIRST
#define FIRST 2 // messages of PE 0
#endif
#define SECOND 1 // messages of PE 1
#ifndef OWN
#define OWN 1 // messages of the owner's thread to each queue
#endif
#define NONE 0
#define DONE 1
#define FULL 2
#define GONE 3

mtype = { message, ask, put_back, nothing, credit, answer, take_back };
chan jobs = [3] of { mtype, byte, byte, byte }; // kind, PE, identity, count
chan route0 = [3] of { mtype, byte, byte };     // from the owner to PE 0: kind, value, identity
chan route1 = [3] of { mtype, byte, byte };

byte identity;                // of the owner's queue, 0 or 1
byte promised, head, tail;    // of this queue
byte unused[PES], granted_by_server[PES];
byte granted[PES], of_identity[PES], used[PES], answers[PES];
byte taken_back[PES] = 255;   // the answer to take_back
bool nothing_done, second;    // second: the second queue can be found
byte dropped, sent[2], ended;

inline to_pe(pe, kind, value, id) {
    if
    :: pe == 0 -> route0!kind, value, id
    :: else -> route1!kind, value, id
    fi
}

// Promises a slot: ok is 1 if there was room.
inline promise(ok, before) {
    before = promised;
    do
    :: before + 1 - head > CAPACITY -> ok = 0; break
    :: else ->
#ifdef LOAD_AND_STORE
        promised = before + 1;
        ok = 1;
        break
#else
        atomic {
            if
            :: promised == before -> promised++; ok = 1; break
            :: else -> before = promised
            fi
        }
#endif
    od
}

inline take_ticket() {
    atomic {
        assert(tail - head < CAPACITY);
        tail++
    }
}

inline maybe_grant(pe, id, ok, before) {
    if
    :: promise(ok, before);
        if
        :: ok -> unused[pe]++; granted_by_server[pe]++; to_pe(pe, credit, granted_by_server[pe], id)
        :: else -> skip
        fi
    :: skip
    fi
}

active proctype server() {
    mtype kind;
    byte pe, id, count, before, ok;
end:
    do
    :: jobs?kind, pe, id, count ->
        if
        :: kind == nothing -> nothing_done = true
        :: kind == put_back && id == identity -> atomic { unused[pe] = unused[pe] - count; promised = promised - count }
        :: kind == put_back && id != identity -> skip
        :: kind == message && id != identity -> dropped++
        :: kind == message && id == identity ->
            take_ticket();
            unused[pe]--;
            maybe_grant(pe, id, ok, before)
        :: kind == ask && id != identity -> to_pe(pe, answer, GONE, id)
        :: kind == ask && id == identity ->
            promise(ok, before);
            if
            :: ok ->
                take_ticket();
                maybe_grant(pe, id, ok, before);
                to_pe(pe, answer, DONE, id)
            :: else -> to_pe(pe, answer, FULL, id)
            fi
        fi;
        kind = nothing; pe = 0; id = 0; count = 0; before = 0; ok = 0
    od
}

// What arrives at a PE. take_back is executed by the PE's server.
inline arrived(me, kind, value, id) {
    if
    :: kind == credit -> d_step { granted[me] = value; of_identity[me] = id }
    :: kind == answer -> answers[me] = value
    :: kind == take_back -> d_step { taken_back[me] = granted[me] - used[me]; used[me] = granted[me] }
    fi
}

active proctype network() {
    mtype kind;
    byte value, id;
end:
    do
    :: atomic { route0?kind, value, id -> arrived(0, kind, value, id); kind = nothing; value = 0; id = 0 }
    :: atomic { route1?kind, value, id -> arrived(1, kind, value, id); kind = nothing; value = 0; id = 0 }
    od
}

proctype sender(byte me) {
    byte left = (me == 0 -> FIRST : SECOND), handle = 0, u, g, other = 1 - me;
    do
    :: left == 0 -> break
    :: left > 0 && second && handle == 0 -> handle = 1 // finds the second queue
    :: left > 0 ->
        u = used[me];
        g = granted[me];
        if
        :: g > u && of_identity[me] == handle ->
            atomic {
                if
                :: used[me] == u -> used[me]++; left--; sent[handle]++; g = 1
                :: else -> g = 0
                fi
            }
            if
            :: g == 1 -> jobs!message, me, handle, 0
            :: else -> skip
            fi
        :: else ->
            jobs!ask, me, handle, 0;
            answers[me] != NONE;
            if
            :: answers[me] == DONE -> answers[me] = NONE; left--; sent[handle]++
            :: answers[me] == GONE -> answers[me] = NONE; assert(handle == 0); second; handle = 1
            :: answers[me] == FULL ->
                answers[me] = NONE;
                u = used[other];
                g = granted[other];
                if
                :: g > u && of_identity[other] == handle ->
                    atomic {
                        if
                        :: used[other] == u -> used[other] = g; g = g - u
                        :: else -> g = 0
                        fi
                    }
                    if
                    :: g > 0 -> jobs!put_back, other, handle, g
                    :: else -> skip
                    fi
                :: else -> skip
                fi
            fi
        fi;
        u = 0; g = 0
    od;
    ended++
}

// The owner: its thread sends OWN messages to each queue, and ends the first one. All messages of a queue are read sooner or
// later (reader).
inline send_own(ok, before) {
#ifdef TICKET_FIRST
    take_ticket();
    do
    :: promise(ok, before); if :: ok -> break :: else -> skip fi
    od
#else
    do
    :: promise(ok, before); if :: ok -> break :: else -> skip fi
    od;
    take_ticket()
#endif
}

active proctype owner() {
    byte ok, before, pe;
    if
    :: OWN > 0 -> send_own(ok, before)
    :: else -> skip
    fi;
    identity = 1;
#ifndef NO_WAIT
    jobs!nothing, 0, 0, 0;
    nothing_done;
#endif
#ifndef KEEP_CREDITS
    do
    :: pe < PES && unused[pe] != 0 -> to_pe(pe, take_back, 0, 0); taken_back[pe] != 255; pe++
    :: pe < PES && unused[pe] == 0 -> pe++
    :: pe == PES -> break
    od;
#endif
    atomic { promised = 0; head = 0; tail = 0; unused[0] = 0; unused[1] = 0 }
    second = true;
    if
    :: OWN > 0 -> send_own(ok, before)
    :: else -> skip
    fi;
    ended++
}

active proctype reader() {
end:
    do
    :: atomic { head < tail -> head++ }
    od
}

init {
    atomic { run sender(0); run sender(1) }
    (ended == PES + 1 && empty(jobs) && empty(route0) && empty(route1));
    timeout;
    assert(promised == tail + unused[0] + unused[1]);
    assert(tail <= OWN + sent[1])
}
