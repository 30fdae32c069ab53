// SPDX-License-Identifier: BSD-3-Clause
// The counter (src/primitive/counter.h), in shared memory: two adders, which may run ahead of the waiter, and a waiter
// that waits for one number after another, each larger than the one before. The count wraps round on the way.
// Checked: when the waiter sees that a number has been reached, it sees everything that this many additions announce;
// the waiter does not wait for ever.
// Mistakes that must be found:
//     -DADD_FIRST   an adder adds before it does what the addition announces
//     -DPLAIN_ADD   an adder reads the count and then stores it, in two steps
//     -DRESET       the waiter subtracts from the count after it has read it
//     -DEQUAL       the waiter waits until the count is exactly its number
// check: holds
// check: fails -DADD_FIRST
// check: fails -DPLAIN_ADD
// check: fails -DRESET
// check: fails -DEQUAL
#define EACH 3 // additions of an adder
#define WRAP 16
#define FIRST 13
#ifdef EQUAL
#define reached(wanted) (count == (wanted))
#else
#define reached(wanted) (((count - (wanted) + WRAP) % WRAP) <= WRAP / 2 - 1)
#endif

byte count = FIRST;
byte done[2]; // work of each adder, which its additions announce

inline add() {
#ifdef PLAIN_ADD
    seen = count;
    count = (seen + 1) % WRAP;
#else
    atomic { count = (count + 1) % WRAP }
#endif
}

proctype adder(byte me) {
    byte n = 0, seen;
    do
    :: n < EACH ->
#ifdef ADD_FIRST
        add();
        done[me]++;
#else
        done[me]++;
        add();
#endif
        n++
    :: else -> break
    od
}

proctype waiter() {
    byte round = 1, wanted, seen;
    do
    :: round <= EACH ->
#ifdef RESET
        wanted = (FIRST + 2) % WRAP;
#else
        wanted = (FIRST + 2 * round) % WRAP;
#endif
        reached(wanted);
        assert(done[0] + done[1] >= 2 * round);
#ifdef RESET
        seen = count;
        count = (seen + WRAP - 2) % WRAP;
#endif
        round++
    :: else -> break
    od
}

init {
    atomic {
        run adder(0);
        run adder(1);
        run waiter()
    }
}
