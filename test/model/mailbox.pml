// SPDX-License-Identifier: BSD-3-Clause
// The mailbox (src/primitive/mailbox.h), on memory that all share: a receiver gives leave for a message and waits for its
// number, several times; the sender delivers one for each leave. Numbers are of two bits, so that they come again. The leave is a
// word here; it is a request in remote procedure calls. A message is two words.
// Checked: the receiver reads the message that it gave leave for, whole; nobody waits for ever.
// Mistakes that must be found: -DNUMBER_FIRST the number before the message, -DWITHOUT_LEAVE the sender writes the next message
// without, -DSAME_NUMBER all messages have one number, -DREAD_LATE the receiver gives the next leave before it has read.
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

byte leave; // messages that may be written
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
