// SPDX-License-Identifier: BSD-3-Clause
// The deque of tasks (src/omp/deque.h), on memory behind store buffers as x86's: the owner adds and takes at the bottom, a thief
// takes up to two at a time at the top and may decline what it has claimed; that there is one thief at a time a lock sees to. Slots are a ring, so that an owner that
// believes a top that is only tried overwrites a task. Checked: each task is taken once, what is taken is what was added, and in the
// end all are taken or there. The code's indexes have 64 bits and never wrap, so they begin at 0 and do not here.
// Mistakes that must be found: -DOWNER_UNFENCED, -DTHIEF_UNFENCED no fence between one's store and one's look, -DPUBLISH_FIRST the
// bottom before the slot, -DNO_MARGIN the owner leaves no slots for a top that is only tried, -DNOT_RESTORED an owner that gives way
// leaves the bottom lowered, -DBELIEVE_CLAIM a thief takes all it claimed without looking at the bottom again.
// check: holds
// check: fails -DOWNER_UNFENCED
// check: fails -DTHIEF_UNFENCED
// check: fails -DPUBLISH_FIRST
// check: fails -DNO_MARGIN
// check: fails -DNOT_RESTORED
// check: fails -DBELIEVE_CLAIM
#define SLOTS 4
#define CATCH 2
#ifdef NO_MARGIN
#define LIMIT SLOTS
#else
#define LIMIT (SLOTS - CATCH)
#endif
#define TASKS 5
#define STEPS 8

short top, bottom; // in memory
short own_bottom;  // the owner's last store, perhaps still in its buffer
bool pending_bottom;
short own_top;
bool pending_top;
byte slot[SLOTS];
byte taken[TASKS + 1];
byte added, count_taken;

// Buffered stores become visible at any time.
active proctype buffers() {
end:
    do
    :: atomic { pending_bottom -> bottom = own_bottom; pending_bottom = false }
    :: atomic { pending_top -> top = own_top; pending_top = false }
    od
}

inline store_bottom(value) {
    atomic { !pending_bottom -> own_bottom = value; pending_bottom = true }
}

inline take(task) {
    atomic {
        taken[task]++;
        count_taken++;
        assert(task > 0 && taken[task] == 1)
    }
}

proctype owner() {
    byte steps = 0, got;
    short b, t, seen = 0;
    do
    :: steps < STEPS ->
        steps++;
        b = own_bottom;
        if
        :: added < TASKS ->
            seen = top;
            if
            :: b - seen < LIMIT ->
                added++;
#ifdef PUBLISH_FIRST
                store_bottom(b + 1);
                slot[b % SLOTS] = added
#else
                slot[b % SLOTS] = added;
                store_bottom(b + 1)
#endif
            :: else
            fi
        :: b > 0 -> // the mark is 0
            b--;
            store_bottom(b);
#ifndef OWNER_UNFENCED
            !pending_bottom;
#endif
            t = top;
            if
            :: t <= b ->
                got = slot[b % SLOTS];
                take(got)
            :: else ->
#ifndef NOT_RESTORED
                store_bottom(b + 1)
#endif
            fi
        :: true
        fi
    :: else -> break
    od
}

proctype thief() {
    byte tries = 0, count, got[CATCH];
    short t, there, wanted;
    do
    :: tries < 3 ->
        tries++;
        t = top;
        there = bottom - t;
        wanted = (there > 1 -> CATCH : 1);
        atomic { !pending_top -> own_top = t + wanted; pending_top = true }
#ifndef THIEF_UNFENCED
        !pending_top;
#endif
#ifndef BELIEVE_CLAIM
        there = bottom - t;
#endif
        if
        :: there < wanted -> wanted = (there > 0 -> there : 0)
        :: else
        fi;
        count = 0;
        do
        :: count < wanted -> got[count] = slot[(t + count) % SLOTS]; count++
        :: count < wanted -> break // it declines
        :: else -> break
        od;
        atomic { !pending_top -> own_top = t + count; pending_top = true }
        !pending_top; // the next thief sees it
        do
        :: count > 0 -> count--; take(got[count])
        :: else -> break
        od
    :: else -> break
    od
}

init {
    atomic {
        run owner();
        run thief()
    }
    _nr_pr == 2 && !pending_bottom && !pending_top;
    assert(count_taken + bottom - top == added)
}
