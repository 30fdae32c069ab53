// SPDX-License-Identifier: BSD-3-Clause
// How threads without tasks sleep while another thread steals a batch of tasks (steal in src/omp/task/ready.c,
// skerry_omp_run_some_task in task.c). Thread 0 makes, in one step, as many tasks as there are threads, and each task
// waits until all tasks run. So each thread must find one task. A thread that finds none clears the hint `work` and
// searches again. Then it announces that it sleeps, clears `work` and searches once more, and sleeps until a thread
// notifies it. A thief locks the deque of its victim, takes half of the tasks, unlocks, and adds all of them but one to
// its own deque. A search skips a locked deque. Memory is sequentially consistent here: the fences that a sleeper needs
// are those of wait.pml, and how an owner and a thief agree is shown by deque.pml. No sleep has a limit here, so a lost
// wake-up is a deadlock. Not modelled: the code notifies at most as many threads as there are processors; the sleep of
// another thread ends at its limit.
// Mistakes that must be found:
//     -DSILENT_MOVE    a thief does not notify after it has added stolen tasks to its own deque
//     -DSILENT_LOCK    a thief does not notify when tasks are left in the deque that it had locked
//     -DCLEAR_IF_SET   before it sleeps, a thread clears `work` and searches again only if `work` is set: a third thread
//                      may have cleared it, and may have left with one of several tasks
// check: holds
// check: large -DTHREADS=4
// check: fails -DSILENT_MOVE
// check: fails -DSILENT_LOCK
// check: fails -DTHREADS=4 -DCLEAR_IF_SET
#ifndef THREADS
#define THREADS 3
#endif

byte tasks[THREADS];  // number of tasks in each thread's deque
bit locked[THREADS];
bit sleeping[THREADS];
bit work;

inline notify() {
    if
    :: work -> skip
    :: else ->
        work = 1;
        d_step {
            for (other : 0 .. THREADS - 1) { sleeping[other] = 0 }
            other = 0
        }
    fi
}

inline search() {
    d_step {
        has = tasks[self] > 0;
        tasks[self] = tasks[self] - has;
        victim = 0
    }
    do
    :: has || victim == THREADS -> break
    :: else ->
        if
        :: d_step {
                victim != self && tasks[victim] > 0 && !locked[victim] ->
                locked[victim] = 1;
                batch = (tasks[victim] + 1) / 2;
                tasks[victim] = tasks[victim] - batch
            }
            locked[victim] = 0;
            d_step {
                has = 1;
                tasks[self] = tasks[self] + batch - 1
            }
            if
#ifndef SILENT_MOVE
            :: batch > 1 -> notify()
#endif
#ifndef SILENT_LOCK
            :: tasks[victim] > 0 -> notify()
#endif
            :: else
            fi;
            batch = 0
        :: else
        fi;
        victim++
    od;
    victim = 0
}

active [THREADS] proctype thread() {
    byte self = _pid, victim, batch, other;
    bit has;
    if
    :: self == 0 -> tasks[0] = THREADS; notify()
    :: else
    fi;
    do
    :: has -> break
    :: else ->
        search();
        if
        :: !has && work -> work = 0; search()
        :: else
        fi;
        if
        :: !has ->
            sleeping[self] = 1;
            search();
            if
#ifdef CLEAR_IF_SET
            :: !has && work -> work = 0; search()
#else
            :: !has -> work = 0; search()
#endif
            :: else
            fi;
            if
            :: has -> sleeping[self] = 0
            :: else -> !sleeping[self]
            fi
        :: else
        fi
    od
}
