// SPDX-License-Identifier: BSD-3-Clause
// The counts of a task's children, and when the task's memory is freed (src/omp/task/children.h). There is a root task, and
// each task may make other tasks. Threads run them in any way: nested in another task, at once, by a thief, after the
// end of the parent. A child that runs on the thread that runs its parent changes plain counts of the parent. Every
// other child changes one word of two halves, here `low` and `high` (`elsewhere` in the code). If DETACHED is not 0,
// another thread finishes task DETACHED at some time after that task began. With -DMOST=1 a task that has made more
// than MOST children subtracts the number of freed children from all counts. The d_step there stands for the atomic
// exchange of `elsewhere`; the other counts belong to the thread that runs the task.
// Checked: no freed memory is accessed; all memory is freed; a task that finds all its children finished has no
// unfinished child.
// Mistakes that must be found:
//     -DKEEP_FINISHED   the number of freed children is not subtracted from the number of finished children
//     -DFINISH_LAST     a task counts itself as finished in its parent after it has subtracted the children that it
//                       leaves
//     -DEND_LATE        the end of a detached task's function does not set has_ended, so its children still use the
//                       plain counts
//     -DBLIND           a child uses the plain counts of its parent although the parent has ended
//     -DADD_LATE        a child is counted after other threads may run it
// check: holds
// check: holds -DDETACHED=1
// check: holds -DMOST=1
// check: holds -DMOST=1 -DDETACHED=1
// check: fails -DMOST=1 -DKEEP_FINISHED
// check: fails -DFINISH_LAST
// check: fails -DBLIND
// check: fails -DADD_LATE
// check: fails -DDETACHED=1 -DEND_LATE
#ifndef TASKS
#define TASKS 4 // including the root, which is task 0 and never ends
#endif
#ifndef THREADS
#define THREADS 2
#endif
#ifndef DETACHED
#define DETACHED 0
#endif
#define DEPTH 3
#define NOBODY 9
#define current stack[top - 1]

mtype = { unmade, ready, running, ended }; // ended: a detached task whose event is not fulfilled yet
mtype state[TASKS];
bool kept[TASKS], is_at_once[TASKS];
byte parent_of[TASKS], runner[TASKS];
byte made[TASKS], finished_here[TASKS], freed_here[TASKS]; // the plain counts, changed by the runner only
bool has_ended[TASKS];
byte low[TASKS];   // children finished elsewhere
short high[TASKS]; // children freed elsewhere, minus the children that the task left when it ended
bool is_fulfilled;
byte next_task = 1;
byte unfinished;       // number of unfinished tasks
byte pending[TASKS];   // number of unfinished children as the program sees them

inline count_finished(p) {
    assert(kept[p]);
    if
    :: runner[p] == me && !has_ended[p] -> finished_here[p]++
    :: else -> atomic { assert(kept[p]); low[p]++ }
    fi
}

// Frees task `first`; `also_finished` is 1 if it now counts as finished, too. Then frees each parent of which this was
// the last child.
inline free_upwards(first, also_finished) {
    one = first;
    also = also_finished;
    do
    :: one != NOBODY ->
        atomic { assert(kept[one]); kept[one] = false; p = parent_of[one] }
        assert(kept[p]);
#ifdef BLIND
        if
        :: runner[p] == me ->
#else
        if
        :: runner[p] == me && !has_ended[p] ->
#endif
            sum = freed_here[p];
            freed_here[p] = sum + 1;
            finished_here[p] = finished_here[p] + also;
            one = NOBODY
        :: else ->
            atomic {
                assert(kept[p]);
                high[p]++;
                low[p] = low[p] + also;
                one = (high[p] == 0 -> p : NOBODY)
            }
        fi;
        also = 0
    :: else -> break
    od;
    atomic { p = 0; sum = 0 }
}

inline count_off(t) {
    left = made[t] - freed_here[t];
    is_last = left == 0 || high[t] == left;
#ifdef FINISH_LAST
    is_last = left == 0;
    if
    :: !is_last ->
        has_ended[t] = true;
        atomic { is_last = high[t] == left; high[t] = high[t] - left };
        if
        :: !is_last -> count_finished(parent_of[t])
        :: else
        fi
    :: else
    fi;
    if
    :: is_last -> free_upwards(t, 1)
    :: else
    fi;
#else
    if
    :: is_last -> free_upwards(t, 1)
    :: else ->
        count_finished(parent_of[t]);
        has_ended[t] = true;
        atomic { is_last = high[t] == left; high[t] = high[t] - left };
        if
        :: is_last -> free_upwards(t, 0)
        :: else
        fi
    fi;
#endif
    atomic { left = 0; is_last = false; unfinished-- }
}

inline add_child(p) {
    d_step {
        assert(kept[p]);
        if
        :: made[p] == 0 -> low[p] = 0; high[p] = 0
        :: else
        fi;
        made[p]++
#ifdef MOST
        if
        :: made[p] > MOST ->
#ifndef KEEP_FINISHED
            finished_here[p] = finished_here[p] + low[p] - freed_here[p] - high[p];
#else
            finished_here[p] = finished_here[p] + low[p];
#endif
            made[p] = made[p] - freed_here[p] - high[p];
            freed_here[p] = 0;
            low[p] = 0;
            high[p] = 0
        :: else
        fi
#endif
    }
}

inline start(t) {
    assert(kept[t]);
    state[t] = running;
    runner[t] = me;
    made[t] = 0;
    finished_here[t] = 0;
    freed_here[t] = 0;
    has_ended[t] = false;
    stack[top] = t;
    top++
}

inline new(t) {
    t = next_task;
    next_task++;
    parent_of[t] = current;
    kept[t] = true;
    unfinished++
}

proctype thread(byte me) {
    byte stack[DEPTH + 1], top, t, p, one, also, sum, left;
    bool is_last;
    if
    :: me == 0 -> top = 1 // the root
    :: else
    fi;
end:
    do
    :: d_step { top <= DEPTH && state[1] == ready -> t = 1; start(t); t = 0 }
#if TASKS > 2
    :: d_step { top <= DEPTH && state[2] == ready -> t = 2; start(t); t = 0 }
#endif
#if TASKS > 3
    :: d_step { top <= DEPTH && state[3] == ready -> t = 3; start(t); t = 0 }
#endif
#if TASKS > 4
    :: d_step { top <= DEPTH && state[4] == ready -> t = 4; start(t); t = 0 }
#endif
    :: atomic { top > 0 && next_task < TASKS -> new(t); pending[current]++ }
#ifdef ADD_LATE
        state[t] = ready;
        add_child(current);
#else
        add_child(current);
        state[t] = ready;
#endif
        t = 0
    :: d_step { top > 0 && top <= DEPTH && next_task < TASKS && next_task != DETACHED -> new(t); is_at_once[t] = true; start(t); t = 0 }
    :: top > 0 -> // the task may test here, as in taskwait, that its children have finished
        sum = finished_here[current];
        sum = sum + low[current];
        assert(sum != made[current] || pending[current] == 0);
        sum = 0
    :: d_step { top > (me == 0 -> 1 : 0) -> t = current; top-- }
        if
        :: is_at_once[t] ->
            if
            :: made[t] == freed_here[t] -> d_step { kept[t] = false; unfinished-- }
            :: else ->
                add_child(parent_of[t]);
                count_off(t)
            fi
#if DETACHED
        :: t == DETACHED ->
#ifndef END_LATE
            has_ended[t] = true;
#endif
            d_step {
                is_last = is_fulfilled;
                state[t] = ended;
                if
                :: is_last -> pending[parent_of[t]]--
                :: else
                fi
            }
            if
            :: is_last -> count_off(t)
            :: else
            fi
#endif
        :: else ->
            pending[parent_of[t]]--;
            count_off(t)
        fi;
        t = 0
    od
}

#if DETACHED
proctype fulfiller() {
    byte me = THREADS, p, one, also, sum, left;
    bool is_last;
    state[DETACHED] != unmade;
    d_step {
        is_last = state[DETACHED] == ended;
        is_fulfilled = true;
        if
        :: is_last -> pending[parent_of[DETACHED]]--
        :: else
        fi
    }
    if
    :: is_last -> count_off(DETACHED)
    :: else
    fi
}
#endif

init {
    byte i;
    atomic {
        state[0] = running;
        kept[0] = true;
        for (i : 1 .. TASKS - 1) { state[i] = unmade }
        for (i : 0 .. THREADS - 1) { run thread(i) }
#if DETACHED
        run fulfiller()
#endif
    }
    next_task == TASKS && unfinished == 0;
    for (i : 1 .. TASKS - 1) { assert(!kept[i]) }
}
