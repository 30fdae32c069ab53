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
// check: holds
// check: fails -DNUMBER_FIRST
// check: fails -DWITHOUT_LEAVE
// check: fails -DSAME_NUMBER
// check: fails -DREAD_LATE
#define MESSAGES 5
#define WRAP 4
#ifdef SAME_NUMBER
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
        leave = n + 1
    :: else -> break
    od
}

init {
    atomic {
        run sender();
        run receiver()
    }
}
