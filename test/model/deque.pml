// SPDX-License-Identifier: BSD-3-Clause
// The deque of tasks (src/omp/task/deque.h), on memory with store buffers as on x86. The owner adds and takes tasks at
// the bottom. A thief takes up to two tasks at a time at the top, and may decline some that it has claimed. A lock,
// which is not modelled, admits one thief at a time. The slots are a ring, so an owner that believes a `top` that is
// only a thief's attempt overwrites a task.
// Checked: each task is taken once; a task that is taken was added; in the end each task has been taken or is in the
// deque. The code's indexes have 64 bits and never wrap, so here they begin at 0 and do not wrap either.
// Mistakes that must be found:
//     -DOWNER_UNFENCED, -DTHIEF_UNFENCED   no fence between this side's store and its load of the other side's index
//     -DPUBLISH_FIRST    the owner stores the bottom before the slot
//     -DNO_MARGIN        the owner leaves no slots free for a top that is only an attempt
//     -DNOT_RESTORED     an owner that yields a task to a thief leaves the bottom lowered
//     -DBELIEVE_CLAIM    a thief takes all that it has claimed without loading the bottom again
// check: holds
// check: fails -DOWNER_UNFENCED
// check: fails -DTHIEF_UNFENCED
// check: fails -DPUBLISH_FIRST
// check: fails -DNO_MARGIN
// check: fails -DNOT_RESTORED
// check: fails -DBELIEVE_CLAIM
#define SLOTS 4
#define STEAL_MAX 2
#ifdef NO_MARGIN
#define LIMIT SLOTS
#else
#define LIMIT (SLOTS - STEAL_MAX)
#endif
#define TASKS 5
#define STEPS 8

short top, bottom; // in memory
short own_bottom;  // the owner's last store; it may still be in the store buffer
bool pending_bottom;
short own_top;
bool pending_top;
byte slot[SLOTS];
byte taken[TASKS + 1];
byte added, count_taken;

// A store may leave its store buffer at any time.
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
        :: b > 0 -> // the task_mark, below which the owner takes nothing, is 0 here
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
        :: true // does nothing; so does an owner that finds no task before it tries
        fi
    :: else -> break
    od
}

proctype thief() {
    byte tries = 0, count, got[STEAL_MAX];
    short t, there, wanted;
    do
    :: tries < 3 ->
        tries++;
        t = top;
        there = bottom - t;
        wanted = (there > 1 -> STEAL_MAX : 1);
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
        :: count < wanted -> break // the thief declines the rest
        :: else -> break
        od;
        atomic { !pending_top -> own_top = t + count; pending_top = true }
        !pending_top; // the next thief, which takes the lock, sees this top
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
