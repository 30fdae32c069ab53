// SPDX-License-Identifier: BSD-3-Clause
// The mailbox (src/primitive/mailbox.h), in shared memory. The receiver permits a message and waits for the message's
// number, several times. The sender delivers one message for each permission. Numbers have two bits, so that they wrap
// round. The permission is a word here; in remote procedure calls it is a request. A message is two words.
// Checked: the receiver reads the message that it has permitted, whole; no process waits for ever.
// Mistakes that must be found:
//     -DNUMBER_FIRST    the sender stores the number before the message
//     -DWITHOUT_LEAVE   the sender writes the next message without permission
//     -DSAME_NUMBER     all messages have the same number
//     -DREAD_LATE       the receiver permits the next message before it has read this one
//     -DCLEAR_LATE      with -DCLEARED, the receiver sets the number to 0 after it has permitted the next message
// -DCLEARED: the mailboxes of OpenMP's threads on machines with near memory (src/omp/parallel.c). The pointer to a function takes
// the place of the number. The receiver sets it to 0 when it takes the message.
// check: holds
// check: fails -DNUMBER_FIRST
// check: fails -DWITHOUT_LEAVE
// check: fails -DSAME_NUMBER
// check: fails -DREAD_LATE
// check: holds -DCLEARED
// check: fails -DCLEARED -DCLEAR_LATE
#define MESSAGES 5
#define WRAP 4
#if defined(SAME_NUMBER) || defined(CLEARED)
#define number_of(n) 1
#else
#define number_of(n) (((n) + 1) % WRAP)
#endif

byte leave; // number of messages that the receiver has permitted
byte number, first, second;

proctype sender() {
    byte n = 0;
    do
    :: n < MESSAGES ->
#ifndef WITHOUT_LEAVE
        leave > n;
#endif
#ifdef NUMBER_FIRST
        number = number_of(n);
#endif
        first = n;
        second = n;
#ifndef NUMBER_FIRST
        number = number_of(n);
#endif
        n++
    :: else -> break
    od
}

proctype receiver() {
    byte n = 0;
    leave = 1;
    do
    :: n < MESSAGES ->
        number == number_of(n);
#ifdef READ_LATE
        leave = n + 2;
#endif
        assert(first == n);
        assert(second == n);
        n++;
#if defined(CLEARED) && !defined(CLEAR_LATE)
        number = 0;
#endif
        leave = n + 1;
#ifdef CLEAR_LATE
        number = 0
#endif
    :: else -> break
    od
}

init {
    atomic {
        run sender();
        run receiver()
    }
}
