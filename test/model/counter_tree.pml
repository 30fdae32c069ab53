// SPDX-License-Identifier: BSD-3-Clause
// The barrier by counters in hardware (src/primitive/counter_tree.h) as OpenMP uses it (src/omp/sync/near_barrier.h). Threads
// 0 and 1 add to one counter, which adds to the root, as thread 2 does. The root notifies thread 2, and a counter that
// notifies threads 0 and 1. Additions, notifications and stores to other cores' memories arrive after any time. A thread can
// make a task at any time outside a barrier. The first one that a thread makes is announced to all: it stores the number of
// the next barrier to each of them.
// Checked: a thread passes a barrier only when all have arrived; nobody waits for ever; all threads agree at each barrier
// whether tasks were made before it, and the thread that made one knows it.
// Mistakes that must be found:
//     -DNO_FENCE    a thread arrives before its stores have arrived
//     -DONE_BIT     a thread stores 1 instead of the barrier's number
//     -DRESET_LATE  a thread sets its flag to 0 after it has arrived at the next barrier
//     -DARM_LATE    a counter gets its next value only after its notification has left
// check: holds
// check: fails -DNO_FENCE
// check: fails -DONE_BIT
// check: fails -DRESET_LATE
// check: fails -DARM_LATE
#define N 3
#define BARRIERS 3

byte leaf, root, down;                   // how many additions each counter has had since it was armed
byte to_leaf, to_root, to_down, to_flag[N]; // what is under way to each of them
bool flag[N];
byte tasks_made[N];    // of each thread: the number that it has been told, 0: none
byte told[9];          // [maker * N + thread]: the number under way from one thread to another, 0: none
byte entered[N];       // barriers at which each thread has arrived
byte agreed[BARRIERS + 1]; // 1: a thread has found no tasks at this barrier, 2: a thread has found tasks

// What the counters send when they become zero.
#define LEAF_SENDS to_root++
#define ROOT_SENDS to_down++; to_flag[2]++

#ifdef ARM_LATE // a counter that is zero loses additions until it is armed again
#define COUNT(counter, SENDS) if :: counter == 1 -> counter = 2; SENDS :: counter == 0 -> counter = 1 :: else -> skip fi
#else
#define COUNT(counter, SENDS) counter++; if :: counter == 2 -> counter = 0; SENDS :: else -> skip fi
#endif

active proctype network() {
    byte i;
end:
    do
    :: atomic { to_leaf > 0 -> to_leaf--; COUNT(leaf, LEAF_SENDS) }
    :: atomic { to_root > 0 -> to_root--; COUNT(root, ROOT_SENDS) }
    :: atomic { to_down > 0 -> to_down--; to_flag[0]++; to_flag[1]++ }
    :: atomic { to_flag[0] > 0 -> to_flag[0]--; flag[0] = true }
    :: atomic { to_flag[1] > 0 -> to_flag[1]--; flag[1] = true }
    :: atomic { to_flag[2] > 0 -> to_flag[2]--; flag[2] = true }
    :: atomic {
        (told[0] + told[1] + told[2] + told[3] + told[4] + told[5] + told[6] + told[7] + told[8]) > 0;
        i = 0;
        do
        :: told[i] > 0 -> tasks_made[i % N] = told[i]; told[i] = 0; break
        :: i < 8 -> i++
        :: told[i] == 0 && i == 8 -> break
        od;
        i = 0
      }
#ifdef ARM_LATE
    :: atomic { leaf == 2 -> leaf = 0 }
    :: atomic { root == 2 -> root = 0 }
#endif
    od
}

#define mine(k) told[me * N + k]

proctype thread(byte me) {
    byte number = 1, made = 0;
    bool slow;
    do
    :: number <= BARRIERS ->
        if
        :: made == 0 && tasks_made[me] == 0 ->
            atomic {
#ifdef ONE_BIT
                mine(0) = 1; mine(1) = 1; mine(2) = 1;
#else
                mine(0) = number; mine(1) = number; mine(2) = number;
#endif
                made = number
            }
        :: true
        fi;
#ifndef NO_FENCE
        mine(0) == 0 && mine(1) == 0 && mine(2) == 0;
#endif
        atomic {
            entered[me] = number;
            if
            :: me == 2 -> to_root++
            :: else -> to_leaf++
            fi
        }
#ifdef RESET_LATE
        if
        :: number > 1 -> flag[me] = false
        :: else -> skip
        fi;
#endif
        flag[me];
#ifndef RESET_LATE
        flag[me] = false;
#endif
        assert(entered[0] >= number && entered[1] >= number && entered[2] >= number);
        atomic {
            slow = tasks_made[me] != 0 && tasks_made[me] <= number;
            assert(made == 0 || made > number || slow);
            agreed[number] = agreed[number] | (slow -> 2 : 1);
            assert(agreed[number] != 3)
        }
        number++
    :: else -> break
    od
}

init {
    atomic { run thread(0); run thread(1); run thread(2) }
}
