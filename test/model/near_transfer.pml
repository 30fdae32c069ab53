// SPDX-License-Identifier: BSD-3-Clause
// Tasks that a thread keeps or transfers to another thread (src/omp/task/near_transfer.h). Thread 0 runs task 1, and the
// other threads are at a barrier. Tasks 1 and 2 make two children each: 2 and 3, 4 and 5. They wait for their children, or
// end before them (-DORPHANS). A thread keeps at most one task; it runs others as calls. A request
// of another thread is not modelled: a thread that makes a task or waits transfers its kept task to any thread that is
// open for it, or finds that thread closed.
// Checked: each task runs once; a thread that has waited for children sees their ends; a suspended thread runs only
// descendants of its task; the counter is 0 only when all tasks have ended; nobody waits for ever.
// Mistakes that must be found:
//     -DNO_CLOSE    a thread that stops waiting for any task does not close its word
//     -DNO_WAIT     a thread that has been reserved and does something else does not wait for the task
//     -DNO_BASE     a thread transfers tasks to any suspended thread
//     -DLATE_COUNT  a task is counted after it was sent
//     -DEARLY_END   a receiver subtracts a task that has ended before the tasks that it has kept in it
//     -DNO_SWAP     a task that ends first gives up the reports of its children by a load and a store
// check: holds
// check: holds -DORPHANS
// check: fails -DNO_CLOSE
// check: fails -DNO_WAIT
// check: fails -DNO_BASE
// check: fails -DLATE_COUNT -DORPHANS
// check: fails -DEARLY_END -DORPHANS
// check: fails -DNO_SWAP -DORPHANS
#define N 3
#define TASKS 6
#define ORPHAN 7

bool ended[TASKS];
byte runs[TASKS];     // how often each task was run
byte made[TASKS];     // number of children that a task has made
byte kept[N];         // the kept task, 0: none
byte kept_by[N];      // the task that waits for it
byte kept_level[N];   // number of tasks on the thread's stack when the task was kept
byte base[N];         // number + 1 of the report for the task that the thread runs for another one, 0: none
byte base_level[N];   // number of tasks on the thread's stack when it began that task
byte report[2 * N];   // report 2 * i + k is the k-th report in the memory of thread i: a task, ORPHAN, or 0 if it is free
bool is_open[N];
bool is_open_for[2 * N];
byte received[N];     // task that has arrived, 0: none
byte received_for[N]; // number + 1 of its report
byte counter;
bool finished;

#define CURRENT stack[level - 1]
#define HAS_CHILDREN (CURRENT <= 2)
#ifdef ORPHANS
#define WAITS false
#else
#define WAITS (CURRENT <= 2)
#endif
#define PARENT(task) (task <= 3 -> 1 : 2)
#define IS_DESCENDANT(task, ancestor) (ancestor == 1 || (ancestor == 2 && task >= 4))
#define IS_SUSPENDED (report[2 * me] == CURRENT || report[2 * me + 1] == CURRENT)

inline begin(task) {
    atomic { stack[level] = task; level++; runs[task]++; assert(runs[task] == 1) }
}

// Runs a task that has arrived.
inline receive() {
    atomic {
        assert(level == 0 || IS_DESCENDANT(received[me], CURRENT));
        opened = 0;
        saved_base[level] = base[me];
        saved_level[level] = base_level[me];
        base[me] = received_for[me];
        base_level[me] = level + 1;
        begin(received[me]);
        received[me] = 0
    }
}

// Sends the kept task to thread `to`, which has been reserved. `old` says whether it was open.
inline send(to) {
    if
    :: old ->
        atomic {
            if
            :: report[2 * me] == 0 -> place = 2 * me
            :: else -> place = 2 * me + 1
            fi;
            assert(report[place] == 0);
            report[place] = kept_by[me];
            task = kept[me];
            kept[me] = 0
        };
        atomic { received[to] = task; received_for[to] = place + 1; task = 0; place = 0 };
#ifdef LATE_COUNT
        counter++
#endif
    :: else ->
#ifdef LATE_COUNT
        skip
#else
        counter--
#endif
    fi;
    old = 0
}

inline count() {
#ifdef LATE_COUNT
    skip
#else
    counter++
#endif
}

// Transfers the kept task to another thread, if that is open.
inline transfer() {
    if
    :: other = (me + 1) % N; count(); atomic { old = is_open[other]; is_open[other] = false }; send(other)
    :: other = (me + 2) % N; count(); atomic { old = is_open[other]; is_open[other] = false }; send(other)
    :: base[me] != 0 ->
        assert(kept_level[me] >= base_level[me]); // older tasks were transferred before
        other = (base[me] - 1) / 2;
        count();
        atomic { old = is_open_for[base[me] - 1]; is_open_for[base[me] - 1] = false };
        send(other)
#ifdef NO_BASE
    :: other = (me + 1) % N; count(); atomic { old = is_open_for[2 * other]; is_open_for[2 * other] = false }; send(other)
#endif
    fi;
    other = 0
}

#define HAS_PLACE (report[2 * me] == 0 || report[2 * me + 1] == 0)

// Closes the word that is open. If another thread has reserved this one, waits for the task and runs it.
inline close() {
    if
    :: opened == 0 -> skip
    :: else ->
        atomic {
            if
            :: opened == 1 -> old = is_open[me]; is_open[me] = false
            :: else -> old = is_open_for[opened - 2]; is_open_for[opened - 2] = false
            fi;
            opened = 0
        };
        if
        :: old -> old = 0
        :: else ->
#ifndef NO_WAIT
            received[me] != 0;
            receive()
#endif
        fi
    fi
}

inline orphan(i) {
#ifdef NO_SWAP
    if
    :: report[i] == CURRENT -> report[i] = ORPHAN
    :: else -> skip
    fi
#else
    atomic {
        if
        :: report[i] == CURRENT -> report[i] = ORPHAN
        :: else -> skip
        fi
    }
#endif
}

proctype thread(byte me) {
    byte stack[4], level, opened, saved_base[4], saved_level[4], other, place, task;
    bool old, leaves;
    if
    :: me == 0 -> base_level[0] = 1; begin(1) // a child of an implicit task ends like a task of another thread
    :: else -> skip
    fi;
    do
    :: level > 0 && HAS_CHILDREN && made[CURRENT] < 2 -> // makes a task
        if
        :: kept[me] != 0 && HAS_PLACE -> transfer()
        :: kept[me] == 0 ->
            atomic {
                kept[me] = 2 * CURRENT + made[CURRENT];
                kept_by[me] = CURRENT;
                kept_level[me] = level;
                made[CURRENT]++
            }
        :: kept[me] != 0 ->
            atomic { made[CURRENT]++; task = 2 * CURRENT + made[CURRENT] - 1; begin(task); task = 0 }
        fi
    :: level > 0 && !(HAS_CHILDREN && made[CURRENT] < 2) -> // waits or ends
        if
        :: kept[me] != 0 && kept_level[me] >= level &&
#ifdef EARLY_END
            WAITS
#else
            (WAITS || base_level[me] == level)
#endif
            -> atomic { task = kept[me]; kept[me] = 0; begin(task); task = 0 }
        :: kept[me] != 0 && HAS_PLACE -> transfer()
        :: WAITS && IS_SUSPENDED && !(kept[me] != 0 && kept_level[me] >= level) ->
            if
            :: received[me] != 0 -> receive()
            :: received[me] == 0 && opened == 0 ->
                atomic {
                    if
                    :: report[2 * me] == CURRENT -> is_open_for[2 * me] = true; opened = 2 * me + 2
                    :: report[2 * me + 1] == CURRENT -> is_open_for[2 * me + 1] = true; opened = 2 * me + 3
                    :: else -> skip
                    fi
                }
            :: received[me] == 0 && opened != 0 -> !IS_SUSPENDED || received[me] != 0
            fi
        :: WAITS && !IS_SUSPENDED && opened != 0 -> close()
        :: !(WAITS && (IS_SUSPENDED || opened != 0)) &&
#ifdef EARLY_END
            !(kept[me] != 0 && kept_level[me] >= level && WAITS)
#else
            !(kept[me] != 0 && kept_level[me] >= level && (WAITS || base_level[me] == level))
#endif
            -> // ends
            if
            :: kept[me] != 0 && kept_level[me] >= level && level > 1 ->
                atomic { kept_by[me] = stack[level - 2]; kept_level[me] = level - 1 }
            :: else -> skip
            fi;
            if
            :: WAITS -> assert(CURRENT != 1 || (ended[2] && ended[3])); assert(CURRENT != 2 || (ended[4] && ended[5]))
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
    :: level == 0 && kept[me] != 0 -> atomic { task = kept[me]; kept[me] = 0; begin(task); task = 0 } // EARLY_END
    :: level == 0 && received[me] != 0 && !leaves -> receive()
    :: level == 0 && opened == 0 && received[me] == 0 && !finished && !leaves -> atomic { is_open[me] = true; opened = 1 }
    :: me == 0 && level == 0 && counter == 0 && runs[1] == 1 && !finished ->
        atomic {
            assert(ended[1] && ended[2] && ended[3] && ended[4] && ended[5]);
            assert(report[0] + report[1] + report[2] + report[3] + report[4] + report[5] == 0);
            finished = true
        }
    :: me != 0 && level == 0 && !leaves -> // does something else
        leaves = true;
#ifndef NO_CLOSE
        close()
#endif
    :: level == 0 && finished -> break
    od
}

init {
    atomic { run thread(0); run thread(1); run thread(2) }
}
