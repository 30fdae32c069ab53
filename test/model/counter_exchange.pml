// SPDX-License-Identifier: BSD-3-Clause
// The barrier by counters in hardware (src/primitive/counter_exchange.h) as OpenMP uses it (src/omp/sync/near_barrier.h),
// with 3 ways instead of 4: in round 0 thread t adds to the threads t + 1 and t + 2, and with 4 threads in round 1 to thread
// t + 3. Additions, and stores to other cores' memories, arrive after any time. With 3 threads, a thread can make a task at
// any time outside a barrier. The first one that a thread makes is announced to all: it stores the number of the next
// barrier to each of them.
// Checked: a thread passes a barrier only when all have arrived; nobody waits for ever; all threads agree at each barrier
// whether tasks were made before it, and the thread that made one knows it.
// Mistakes that must be found:
//     -DNO_FENCE  a thread arrives before its stores have arrived
//     -DONE_BIT   a thread stores 1 instead of the barrier's number
//     -DEQUAL     a thread waits until a counter is equal to a value: a thread that is one barrier ahead makes it larger
//     -DTOO_FEW   a thread waits for one addition in each round
// check: holds
// check: holds -DN=4
// check: fails -DNO_FENCE
// check: fails -DONE_BIT
// check: fails -DEQUAL
// check: fails -DTOO_FEW
#ifndef N
#define N 3
#endif
#define BARRIERS 3

byte counter[2 * N];   // [round * N + thread]: additions that have arrived
byte under_way[2 * N]; // additions that have not
byte tasks_made[N];    // of each thread: the number that it has been told, 0: none
byte told[N * N];      // [maker * N + thread]: the number under way from one thread to another, 0: none
byte entered[N];       // barriers at which each thread has arrived
byte agreed[BARRIERS + 1]; // 1: a thread has found no tasks at this barrier, 2: a thread has found tasks

inline arrive_addition(k) {
    atomic { under_way[k] > 0 -> under_way[k]--; counter[k]++ }
}

active proctype network() {
    byte i;
end:
    do
    :: arrive_addition(0) :: arrive_addition(1) :: arrive_addition(2)
#if N == 4
    :: arrive_addition(3) :: arrive_addition(4) :: arrive_addition(5) :: arrive_addition(6) :: arrive_addition(7)
#else
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
#endif
    od
}

#define mine(k) told[me * N + k]
#define to(round, distance) under_way[(round) * N + (me + (distance)) % N]++
#ifdef EQUAL
#define await(round, additions) counter[(round) * N + me] == number * (additions)
#else
#define await(round, additions) counter[(round) * N + me] >= number * (additions)
#endif
#ifdef TOO_FEW
#define SENDERS 1
#else
#define SENDERS 2
#endif

proctype thread(byte me) {
    byte number = 1, made = 0;
    bool slow;
    do
    :: number <= BARRIERS ->
#if N == 3
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
#endif
        atomic { entered[me] = number; to(0, 1); to(0, 2) }
        await(0, SENDERS);
#if N == 4
        to(1, 3);
        await(1, 1);
        assert(entered[3] >= number);
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
    atomic {
        run thread(0); run thread(1); run thread(2);
#if N == 4
        run thread(3)
#endif
    }
}
