// SPDX-License-Identifier: BSD-3-Clause
// How programs of the MPPA pass a barrier (src/mppa/barrier_served.c). PE 0 counts arrivals, and puts the number of complete
// rounds to each PE of which a thread waits. A thread waits until this word is larger than the number of its round. Two PEs
// have one and two threads, which all use one barrier of two, so a PE's threads can be in different rounds.
// Checked: a thread leaves only a round that is complete; no thread of a complete round waits for ever.
// Mistakes that must be found:
//     -DOLD_WORD  a thread waits until the word is larger than it was before the arrival, not than the round of PE 0's answer
//     -DREORDERED two releases of one PE can arrive in the wrong order, as if PE 0's cores sent them without a common lock
// check: holds
// check: holds -DROUNDS=3
// check: fails -DOLD_WORD
// check: fails -DREORDERED
#ifndef ROUNDS
#define ROUNDS 2 // of each thread
#endif
#define PES 2
#define THREADS 3
#define COUNT 2

byte arrived, round; // at PE 0
bool waiting[PES];
byte released[PES];                  // the word of each PE
chan puts[PES] = [8] of { byte };    // releases that are under way
byte round_of[THREADS];              // in which a thread waits
bool is_waiting[THREADS];

proctype network(byte pe) {
    byte value;
end:
    do
    :: puts[pe] ? value -> released[pe] = value
#ifdef REORDERED
    :: atomic { len(puts[pe]) > 1 -> puts[pe] ? value; puts[pe] ! value }
#endif
    od
}

proctype thread(byte number; byte pe) {
    byte rounds, wanted;
    do
    :: rounds == ROUNDS -> break
    :: else ->
       rounds++;
#ifdef OLD_WORD
       wanted = released[pe];
#endif
       atomic {
           round_of[number] = round;
           is_waiting[number] = true;
           waiting[pe] = true;
           arrived++;
           if
           :: arrived == COUNT ->
              arrived = 0;
              round++;
              if :: waiting[0] -> puts[0] ! round :: else fi;
              if :: waiting[1] -> puts[1] ! round :: else fi;
              waiting[0] = false;
              waiting[1] = false
           :: else
           fi
       }
#ifndef OLD_WORD
       wanted = round_of[number];
#endif
end_wait:
       (released[pe] > wanted);
       assert(round > round_of[number]);
       is_waiting[number] = false
    od
}

init {
    byte i;
    atomic {
        run network(0);
        run network(1);
        run thread(0, 0);
        run thread(1, 1);
        run thread(2, 1)
    }
    timeout;
    do
    :: i == THREADS -> break
    :: else ->
       assert(!is_waiting[i] || round_of[i] == round);
       i++
    od
}
