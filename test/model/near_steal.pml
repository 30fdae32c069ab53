// SPDX-License-Identifier: BSD-3-Clause
// Tasks that a thread keeps and that other threads take (src/omp/task/near_steal.h). Thread 0 runs task 1, and the other
// threads are at a barrier. Task n makes two children, 2 * n and 2 * n + 1, if n is at most 3, or 4 or 6 with -DDEEP. It waits
// for its children, or ends before them (-DORPHANS). A thread keeps at most one task, and runs others as calls.
// Checked: each task runs once; a thread that has waited for children sees their ends; a suspended thread runs only
// descendants of its task; nobody reads a kept task while its place gets another one; the counter is 0 only when all tasks
// have ended; nobody waits for ever.
// Mistakes that must be found:
//     -DNO_TAKEN    a thread that takes a task makes the place free before it has read the task
//     -DNO_BASE     a suspended thread does not compare the base again after it has taken the task
//     -DLATE_COUNT  a thread counts a task after it has taken it
//     -DSTORE       a thread takes a task by a load and a store
// check: holds
// check: holds -DORPHANS
// check: large -DDEEP
// check: fails -DNO_TAKEN
// check: fails -DNO_BASE -DDEEP
// check: fails -DLATE_COUNT -DORPHANS
// check: fails -DSTORE
#define N 3
#define TASKS 14
#define ORPHAN 15
#ifdef DEEP
#define HAS_CHILDREN_(task) (task <= 4 || task == 6)
#else
#define HAS_CHILDREN_(task) (task <= 3)
#endif

mtype = { NONE, PRIVATE, FULL, TAKEN };

bool ended[TASKS];
byte runs[TASKS];       // how often each task was run
byte made[TASKS];       // number of children that a task has made
mtype state[N] = NONE;  // of the kept task
byte kept[N];           // the kept task
byte kept_by[N];        // the task that waits for it, which only the thread itself reads
byte kept_base[N];      // number + 1 of the report for the task of another thread in which the task was made, 0: none
byte kept_report[N];    // number + 1 of its report
byte base[N];           // as kept_base, of the task that the thread runs for another one
byte base_level[N];     // number of tasks on the thread's stack when it began that task
byte report[2 * N];     // report 2 * i + k is the k-th report in the memory of thread i: a task, ORPHAN, or 0 if it is free
byte receiver[2 * N];   // number + 1 of the thread that has taken the task, 0: none
byte counter;
bool finished;

#define CURRENT stack[level - 1]
#define HAS_CHILDREN HAS_CHILDREN_(CURRENT)
#ifdef ORPHANS
#define WAITS false
#else
#define WAITS HAS_CHILDREN
#endif
#define IS_DESCENDANT(task, ancestor) (task / 2 == ancestor || task / 4 == ancestor || task / 8 == ancestor)
#define IS_SUSPENDED (report[2 * me] == CURRENT || report[2 * me + 1] == CURRENT)
#define HAS_KEPT (state[me] != NONE && kept_by[me] == CURRENT)
#define HAS_REPORT (report[2 * me] == 0 || report[2 * me + 1] == 0)

inline begin(task) {
    atomic { stack[level] = task; level++; runs[task]++; assert(runs[task] == 1) }
}

inline keep() {
    atomic {
        kept[me] = 2 * CURRENT + made[CURRENT];
        kept_by[me] = CURRENT;
        kept_base[me] = base[me];
        kept_report[me] = 0;
        made[CURRENT]++;
        state[me] = PRIVATE
    }
}

// Lets other threads take the kept task, if there is a report for it.
inline publish() {
    atomic {
        if
        :: HAS_REPORT ->
            if
            :: report[2 * me] == 0 -> place = 2 * me
            :: else -> place = 2 * me + 1
            fi;
            report[place] = kept_by[me];
            receiver[place] = 0;
            kept_report[me] = place + 1;
            place = 0;
            state[me] = FULL
        :: else -> skip
        fi
    }
}

// The thread takes its kept task back and runs it, unless another thread has taken it.
inline run_kept() {
    if
    :: atomic { state[me] == PRIVATE -> old = true }
    :: state[me] != PRIVATE ->
        do
        :: atomic {
            if
            :: state[me] == FULL -> state[me] = TAKEN; old = true; break
            :: state[me] == NONE -> old = false; break
            :: state[me] == TAKEN ->
                skip
            fi
        }
        od
    fi;
    if
    :: old ->
        atomic {
            task = kept[me];
            if
            :: kept_report[me] != 0 -> report[kept_report[me] - 1] = 0
            :: else -> skip
            fi;
            state[me] = NONE;
            old = false;
            begin(task);
            task = 0
        }
    :: else -> skip
    fi
}

// Takes the kept task of thread `other`. `wanted` is the base that it must have, 0: any.
inline take() {
#ifndef LATE_COUNT
    counter++;
#endif
#ifdef STORE
    old = state[other] == FULL;
    if
    :: old -> state[other] = TAKEN
    :: else -> skip
    fi;
#else
    atomic {
        old = state[other] == FULL;
        if
        :: old -> state[other] = TAKEN
        :: else -> skip
        fi
    };
#endif
    if
    :: !old ->
#ifndef LATE_COUNT
        counter--
#else
        skip
#endif
#ifndef NO_BASE
    :: old && wanted != 0 && kept_base[other] != wanted -> // puts it back
        state[other] = FULL;
#ifndef LATE_COUNT
        counter--
#else
        skip
#endif
#endif
    :: else ->
#ifdef NO_TAKEN
        state[other] = NONE;
#endif
        task = kept[other];
        place = kept_report[other];
        atomic { receiver[place - 1] = me + 1 };
#ifndef NO_TAKEN
        state[other] = NONE;
#endif
#ifdef LATE_COUNT
        counter++;
#endif
        atomic {
            assert(level == 0 || IS_DESCENDANT(task, CURRENT));
            saved_base[level] = base[me];
            saved_level[level] = base_level[me];
            base[me] = place;
            base_level[me] = level + 1;
            begin(task);
            task = 0;
            place = 0
        }
    fi;
    atomic { old = false; wanted = 0; other = 0 }
}

inline orphan(i) {
    atomic {
        if
        :: report[i] == CURRENT -> report[i] = ORPHAN
        :: else -> skip
        fi
    }
}

proctype thread(byte me) {
    byte stack[5], level, saved_base[5], saved_level[5], other, place, task, wanted;
    bool old;
    if
    :: me == 0 -> base_level[0] = 1; begin(1) // a child of an implicit task ends like a task of another thread
    :: else -> skip
    fi;
    do
    :: level > 0 && HAS_CHILDREN && made[CURRENT] < 2 -> // makes a task
        if
        :: state[me] == NONE -> keep()
        :: state[me] != NONE ->
            if
            :: state[me] == PRIVATE -> publish()
            :: else -> skip
            fi;
            atomic { made[CURRENT]++; task = 2 * CURRENT + made[CURRENT] - 1; begin(task); task = 0 }
        fi
    :: level > 0 && !(HAS_CHILDREN && made[CURRENT] < 2) -> // waits or ends
        if
        :: HAS_KEPT && (WAITS || base_level[me] == level) -> run_kept()
        :: !(HAS_KEPT && (WAITS || base_level[me] == level)) && WAITS && IS_SUSPENDED ->
            // looks at the threads that run its children, or waits until there is something to see
            if
            :: report[2 * me] == CURRENT && receiver[2 * me] != 0 && state[receiver[2 * me] - 1] == FULL &&
                   kept_base[receiver[2 * me] - 1] == 2 * me + 1 ->
                other = receiver[2 * me] - 1; wanted = 2 * me + 1; take()
            :: report[2 * me + 1] == CURRENT && receiver[2 * me + 1] != 0 && state[receiver[2 * me + 1] - 1] == FULL &&
                   kept_base[receiver[2 * me + 1] - 1] == 2 * me + 2 ->
                other = receiver[2 * me + 1] - 1; wanted = 2 * me + 2; take()
            :: !IS_SUSPENDED || (HAS_KEPT) -> skip
            fi
        :: !(HAS_KEPT && (WAITS || base_level[me] == level)) && !(WAITS && IS_SUSPENDED) -> // ends
            if
            :: HAS_KEPT && level > 1 -> kept_by[me] = stack[level - 2]
            :: else -> skip
            fi;
            if
            :: WAITS -> assert(ended[2 * CURRENT] && ended[2 * CURRENT + 1])
            :: else -> orphan(2 * me); orphan(2 * me + 1)
            fi;
            ended[CURRENT] = true;
            if
            :: base[me] != 0 && base_level[me] == level ->
                report[base[me] - 1] = 0;
                atomic {
                    counter--;
                    base[me] = saved_base[level - 1];
                    base_level[me] = saved_level[level - 1];
                    level--
                }
            :: else -> level--
            fi
        fi
    :: level == 0 && !finished && state[(me + 1) % N] == FULL -> other = (me + 1) % N; take()
    :: level == 0 && !finished && state[(me + 2) % N] == FULL -> other = (me + 2) % N; take()
    :: me == 0 && level == 0 && counter == 0 && runs[1] == 1 && !finished ->
        atomic {
            assert(ended[1] && ended[2] && ended[3] && ended[4] && ended[5] && ended[6] && ended[7]);
#ifdef DEEP
            assert(ended[8] && ended[9] && ended[12] && ended[13]);
#endif
            finished = true
        }
    :: level == 0 && finished -> break
    od
}

init {
    atomic { run thread(0); run thread(1); run thread(2) }
}
