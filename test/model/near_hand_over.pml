// SPDX-License-Identifier: BSD-3-Clause
// Tasks that a thread hands to threads without tasks (src/omp/task/near_steal.h), and a barrier that ends early if no task
// is left (src/omp/sync/near_barrier.h). Thread 0 runs task 1 and then arrives at the barrier, the other threads arrive
// without a task. Task 1, and with -DDEEP also 2 and 3, make two children, 2 * n and 2 * n + 1. A thread hands them to idle threads, or
// runs them as calls. Behind the barrier each thread makes a task of its own, which it can hand to a thread that has not left
// the barrier yet.
// Checked: each task runs once; no thread leaves the barrier while tasks are left that were made before it; all threads
// decide in the same way whether they wait for tasks; nobody waits for ever.
// Mistakes that must be found:
//     -DNO_CLAIM    a thread that hands over a task reads the bit of the idle thread and clears it in two steps
//     -DNO_WAIT     a thread that stops waiting does not notice that it has been claimed
//     -DEARLY_FULL  the thread stores that the task has arrived before it stores the task
//     -DLATE_COUNT  the thread counts the task after it has handed it over
//     -DEACH        each thread decides for itself whether tasks are left, when all have arrived
//     -DNO_CHECK    the last thread does not check whether tasks are left
// check: holds
// check: large -DDEEP
// check: fails -DNO_CLAIM
// check: fails -DNO_WAIT
// check: fails -DEARLY_FULL
// check: fails -DLATE_COUNT -DDEEP
// check: fails -DEACH
// check: fails -DNO_CHECK
#define N 3
#define TASKS 11 // 1 to 7, and 8 to 10 behind the barrier
#ifdef DEEP
#define HAS_CHILDREN(task) (task <= 3)
#define ALL_ENDED (ended[1] && ended[2] && ended[3] && ended[4] && ended[5] && ended[6] && ended[7])
#else
#define HAS_CHILDREN(task) (task == 1)
#define ALL_ENDED (ended[1] && ended[2] && ended[3])
#endif

bool idle[N];    // the bits of `idle`
bool has_come[N];    // received.is_full
byte received[N];
byte runs[TASKS];
bool ended[TASKS];
byte counter;    // `transferred`
byte arrived;    // at the barrier
bool flag;       // the last thread has arrived
bool has_tasks = true; // a task was made before the barrier that ends next (near.tasks_made)
byte met;        // number of threads that have arrived at meet_with_tasks
bool released;   // from meet_with_tasks

// Begins a task on the calling thread.
inline begin(task) {
    atomic { stack[level] = task; made[level] = 0; foreign[level] = false; level++; runs[task]++; assert(runs[task] == 1) }
}

// Hands `task` to thread `to`, whose bit was set. Otherwise runs it.
inline hand_over(task) {
#ifdef NO_CLAIM
    got = idle[to];
    idle[to] = false;
#else
    atomic { got = idle[to]; idle[to] = false };
#endif
    if
    :: got ->
#ifndef LATE_COUNT
        counter++;
#endif
#ifdef EARLY_FULL
        has_come[to] = true;
        received[to] = task;
#else
        received[to] = task;
        has_come[to] = true;
#endif
#ifdef LATE_COUNT
        counter++;
#endif
    :: else -> begin(task)
    fi;
    atomic { got = false; to = 0 }
}

inline take_received() {
    has_come[me] = false;
    atomic {
        open = false;
        child = received[me];
        received[me] = 0;
        assert(child != 0);
        begin(child);
        foreign[level - 1] = true;
        child = 0
    }
}

// Stops waiting. A thread that has claimed this one sends a task.
inline close() {
    if
    :: open ->
        atomic { got = idle[me]; idle[me] = false; open = false };
#ifndef NO_WAIT
        if
        :: !got -> has_come[me]; take_received()
        :: else -> skip
        fi;
#endif
        got = false
    :: else -> skip
    fi
}

#define ARRIVES 0  // thread 0: runs task 1 first
#define POLLS 1    // waits for the flag
#define CHECKS 2   // all have arrived
#define MEETS 3    // waits in meet_with_tasks
#define BEHIND 4   // has left the barrier
#define ENDS 5     // waits until all have made their tasks behind the barrier

byte behind; // number of threads that have run their own task behind the barrier and wait no more for others

proctype thread(byte me) {
    byte stack[6], made[6], level, to, child, phase;
    bool foreign[6], got, open, last;
    if
    :: me == 0 -> begin(1)
    :: else -> skip
    fi;
    do
    // In a task: makes its children, then ends it.
    :: level > 0 && HAS_CHILDREN(stack[level - 1]) && made[level - 1] < 2 ->
        atomic { child = 2 * stack[level - 1] + made[level - 1]; made[level - 1]++ };
        if
        :: idle[(me + 1) % N] -> to = (me + 1) % N; hand_over(child)
        :: idle[(me + 2) % N] -> to = (me + 2) % N; hand_over(child)
        :: begin(child)
        fi;
        child = 0
    :: level > 0 && !(HAS_CHILDREN(stack[level - 1]) && made[level - 1] < 2) ->
        ended[stack[level - 1]] = true;
        atomic {
            if
            :: foreign[level - 1] -> counter--
            :: else -> skip
            fi;
            level--
        }
    :: level == 0 && phase == ARRIVES ->
        atomic { arrived++; last = arrived == N; phase = POLLS };
        if
        :: last ->
#ifndef EACH
#ifdef NO_CHECK
            has_tasks = false;
#else
            if
            :: counter == 0 -> has_tasks = false
            :: else -> skip
            fi;
#endif
#endif
            flag = true
        :: else -> skip
        fi;
        last = false
    :: level == 0 && (phase == POLLS || phase == MEETS) && !open -> atomic { open = true; idle[me] = true }
    :: level == 0 && (phase == POLLS || phase == MEETS) && has_come[me] -> take_received()
    :: level == 0 && phase == POLLS && flag -> phase = CHECKS; close()
    :: level == 0 && phase == CHECKS ->
#ifdef EACH
        if
        :: counter != 0 -> atomic { met++; phase = MEETS }
        :: else -> phase = BEHIND; assert(ALL_ENDED)
        fi
#else
        if
        :: has_tasks -> atomic { met++; phase = MEETS }
        :: else -> phase = BEHIND; assert(ALL_ENDED)
        fi
#endif
    :: level == 0 && phase == MEETS && me == 0 && met == N && counter == 0 && !released -> released = true
    :: level == 0 && phase == MEETS && released -> phase = BEHIND; close(); assert(ALL_ENDED)
    :: level == 0 && phase == BEHIND ->
        phase = ENDS;
        if
        :: idle[(me + 1) % N] -> to = (me + 1) % N; hand_over(8 + me)
        :: idle[(me + 2) % N] -> to = (me + 2) % N; hand_over(8 + me)
        :: begin(8 + me)
        fi
    :: level == 0 && phase == ENDS -> break
    od;
    atomic {
        behind++;
        if
        :: behind == N -> assert(counter == 0 && ended[8] && ended[9] && ended[10])
        :: else -> skip
        fi
    }
}

init {
    atomic { run thread(0); run thread(1); run thread(2) }
}
