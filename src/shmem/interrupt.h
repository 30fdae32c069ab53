// SPDX-License-Identifier: BSD-3-Clause
// Handlers of the program's own, where one PE can interrupt another (beyond the specification).

//@ shmemx_interrupt: shmemx_interrupt shmemx_on_interrupt
// Interrupts another PE, which then runs the handler that it has set for the number. On a chip a core raises another's
// interrupt by a store, and the library's own gets use the same one. On Linux the handler runs in waits of the library, and where the
// program computes as shmemx_rpc_attention says: in the handler of a signal at first.
//   pe       may be the calling one
//   number   0 to SHMEMX_INTERRUPT_NUMBERS - 1
//   handler  NULL: none; then what is raised waits for the next one
// Order: a handler runs at least once after each interruption, and sees what the interrupting PE has stored and put to this PE before;
// several interruptions may share one run, so whoever counts keeps words of his own. It interrupts the program anywhere except in
// other handlers (on a chip: and in atomics), must not wait for another PE, and may put, call atomics, and be quiet.
// Errors: a number that there is not ends the job with a line.
// Source: Skerry's own.

SKERRY_DECLARE(void, shmemx_interrupt, (int pe, int number))
SKERRY_DECLARE(void, shmemx_on_interrupt, (int number, void (*handler)(void)))
