// SPDX-License-Identifier: BSD-3-Clause
// Jobs for the server of an I/O node of the MPPA (src/machine/mppa/server.c), which arrive by several DMA units. Each unit
// writes jobs into a ring of its own, counts them in a register of its own, and notifies the server. The server executes the
// jobs of one ring, the current one, and looks at the others when it finds none there, and also after some jobs. Cores send
// the next job when they have the answer to the last one, some of them for ever, as cores that wait for a word of the node
// by atomic operations.
// Checked: no job is stored over one that the server has not read; the server never sleeps while a job waits; a job of one
// ring is executed although those of another one never end: at most 3 * AT_ONCE jobs come before it.
// Mistakes that must be found:
//     -DCURRENT_ONLY  the server looks only at the current ring before it sleeps
//     -DUNTIL_EMPTY   the server leaves the current ring only when it is empty
//     -DLOSE_LEFT     the server forgets the jobs that it has found in a ring when it goes on to the next one
//     -DSHARED_COUNT  the rings share the number of counted jobs
// check: holds
// check: fails -DCURRENT_ONLY
// check: fails -DUNTIL_EMPTY
// check: fails -DLOSE_LEFT
// check: fails -DSHARED_COUNT
#define RINGS 2
#define SLOTS 2   // of a ring: two cores with one job each
#define AT_ONCE 1
#define NOBODY 255
#define COUNTS 4  // the counters are modulo 4
#define CORES 3   // cores 0 and 1 use ring 0 and send jobs for ever; core 2 uses ring 1 and sends two jobs
#define MOST (3 * AT_ONCE)

byte slots[4] = NOBODY; // SLOTS of each ring: the core whose job is in the slot
byte position[RINGS];   // of the unit's tag
byte transfers[RINGS];  // ends of transfers of this tag
bool notified;
bit answers[CORES];
byte executed[CORES];   // jobs that were executed since this core's job arrived

proctype core(byte me; byte ring) {
    bit expected = 0;
    byte sent = 0;
end:
    do
    :: atomic {
        assert(slots[ring * SLOTS + position[ring]] == NOBODY);
        slots[ring * SLOTS + position[ring]] = me;
        position[ring] = (position[ring] + 1) % SLOTS;
        transfers[ring] = (transfers[ring] + 1) % COUNTS;
        executed[me] = 0;
        expected = 1 - expected;
        notified = true
       }
       answers[me] == expected;
       if
       :: me == CORES - 1 -> sent++; if :: sent == 2 -> break :: else fi
       :: else
       fi
    od
}

byte left[RINGS], counted[RINGS], next[RINGS];
byte current, found;

#ifdef SHARED_COUNT
#define COUNTED counted[0]
#else
#define COUNTED counted[current]
#endif

inline find_in_current() {
    if
    :: left[current] > 0 -> found = left[current]
    :: else -> atomic {
        found = (transfers[current] + COUNTS - COUNTED) % COUNTS;
        COUNTED = transfers[current]
       }
    fi
}

inline advance() {
#ifdef LOSE_LEFT
    left[current] = 0;
#endif
    current = (current + 1) % RINGS
}

inline find_jobs() {
    find_in_current();
#ifndef CURRENT_ONLY
    if
    :: found == 0 -> advance(); find_in_current()
    :: else
    fi
#endif
}

inline run_next_job() {
    atomic {
        from = slots[current * SLOTS + next[current]];
        assert(from != NOBODY);
        slots[current * SLOTS + next[current]] = NOBODY;
        left[current] = found - 1;
        next[current] = (next[current] + 1) % SLOTS;
        assert(executed[from] <= MOST);
        answers[from] = 1 - answers[from];
        other = 0;
        do
        :: other < CORES -> executed[other] = (executed[other] <= MOST -> executed[other] + 1 : executed[other]); other++
        :: else -> break
        od
    }
}

active proctype server() {
    byte more, from, other;
end:
    do
    :: notified = false;
       more = AT_ONCE;
       do
       :: more > 0 ->
            find_jobs();
            if
            :: found > 0 -> run_next_job(); more--
            :: else -> break
            fi
       :: more == 0 ->
#ifndef UNTIL_EMPTY
            advance();
#endif
            break
       od;
       if
       :: more == AT_ONCE ->
            atomic {
                assert(notified || (slots[0] == NOBODY && slots[1] == NOBODY && slots[2] == NOBODY && slots[3] == NOBODY));
end_asleep:
                notified // a job that arrives from now on sets it
            }
       :: else
       fi
    od
}

init {
    atomic {
        run core(0, 0);
        run core(1, 0);
        run core(2, 1)
    }
}
