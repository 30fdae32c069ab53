// SPDX-License-Identifier: BSD-3-Clause
// Handlers of the program's own, where one PE can interrupt another (beyond the specification; on a chip only).

//@ shmemx_interrupt: shmemx_interrupt shmemx_on_interrupt
// Interrupts another PE, which then runs the handler that it has set for the number. On a chip only, where a core can raise
// another's interrupt by a store; the library's own gets use the same interrupt.
//   pe       may be the calling one
//   number   0 to SHMEMX_INTERRUPT_NUMBERS - 1
//   handler  NULL: none; then what is raised waits for the next one
// Order: a handler runs at least once after each interruption, and sees what the interrupting PE has stored and put to this PE before;
// several interruptions may share one run, so whoever counts keeps words of his own. It interrupts the program anywhere except in
// atomics and in other handlers, must not wait for another PE, and may put, call atomics, and be quiet.
// Errors: a number that there is not ends the job with a line.
// Source: Skerry's own.

SKERRY_DECLARE(void, shmemx_interrupt, (int pe, int number))
SKERRY_DECLARE(void, shmemx_on_interrupt, (int number, void (*handler)(void)))
