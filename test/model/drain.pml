// SPDX-License-Identifier: BSD-3-Clause
// Barriers with tasks (src/omp/sync/barrier.c, src/omp/task/task.c). Three threads make tasks, arrive at the barrier,
// and run tasks, which may make more tasks. A thread releases the barrier when it finds that all threads have arrived
// and that the number of finished tasks is the number of tasks made. Each thread has its own two counts, and they are
// read one by one. Two barriers follow each other.
// Checked: when a barrier is released, no task is left, no task runs, and all threads have arrived.
// Mistakes that must be found:
//     -DMADE_FIRST     the tasks made are added up before the finished tasks
//     -DCOUNT_LATE     a task can be taken before it is counted as made
//     -DNOT_ALL        the sums are compared before all threads have arrived
//     -DFINISH_FIRST   a task counts as finished before it has run
// check: holds
// check: fails -DMADE_FIRST
// check: fails -DCOUNT_LATE
// check: fails -DNOT_ALL
// check: fails -DFINISH_FIRST
#define THREADS 3
#define BUDGET 2 // number of tasks in the whole run
#define BARRIERS 2

byte made[THREADS], finished[THREADS];
byte ready, running, arrived, released, budget = BUDGET;

inline make_task() {
    if
    :: atomic { budget > 0 -> budget-- }
#ifdef COUNT_LATE
        ready++;
        made[me]++
#else
        made[me]++;
        ready++
#endif
    :: true
    fi
}

inline add_made() {
    made_sum = made[0];
    made_sum = made_sum + made[1];
    made_sum = made_sum + made[2]
}

inline add_finished() {
    finished_sum = finished[0];
    finished_sum = finished_sum + finished[1];
    finished_sum = finished_sum + finished[2]
}

proctype thread(byte me) {
    byte number = 1, made_sum, finished_sum;
    do
    :: number <= BARRIERS ->
        make_task();
        arrived++;
        do
        :: released >= number -> break
        :: released < number && ready > 0 ->
            if
            :: atomic { ready > 0 -> ready--; running++ }
#ifdef FINISH_FIRST
                finished[me]++;
                make_task();
                running--
#else
                make_task();
                running--;
                finished[me]++
#endif
            :: else
            fi
        :: released < number ->
#ifndef NOT_ALL
            arrived >= number * THREADS || ready > 0 || released >= number;
            if
            :: arrived >= number * THREADS ->
#endif
#ifdef MADE_FIRST
                add_made();
                add_finished();
#else
                add_finished();
                add_made();
#endif
                if
                :: finished_sum == made_sum ->
                    assert(released >= number || (ready == 0 && running == 0 && arrived >= number * THREADS));
                    released = number
                :: else
                fi;
                d_step { made_sum = 0; finished_sum = 0 } // unused until the next sums; 0 saves states
#ifndef NOT_ALL
            :: else
            fi
#endif
        od;
        number++
    :: else -> break
    od
}

init {
    atomic {
        run thread(0);
        run thread(1);
        run thread(2)
    }
}
