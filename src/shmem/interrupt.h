// SPDX-License-Identifier: BSD-3-Clause
// Declares the routines by which a program interrupts other PEs and handles interrupts, on machines that support
// interrupts. The specification does not have these routines.

//@ shmemx_interrupt: shmemx_interrupt shmemx_on_interrupt
// Interrupts another PE, which then runs the handler that it has set for the number. On a chip a core interrupts
// another core by a store, and the library's own gets use the same hardware interrupt. On Linux the handler runs inside
// waits of the library. While the program computes, the routine shmemx_rpc_attention decides how the handler runs; the
// default is inside a signal handler.
//   pe       rank of the PE to interrupt; can be the calling PE
//   number   0 to SHMEMX_INTERRUPT_NUMBERS - 1
//   handler  function to run. NULL: no handler; an interrupt then stays pending until the program sets the next handler
// Order: a handler runs at least one time after each interrupt. The handler sees the stores and puts that the
// interrupting PE made to this PE before the interrupt. One run of a handler can stand for several interrupts, so a
// program that counts interrupts needs a counter of its own. A handler can interrupt the program anywhere except in
// other handlers and, on a chip, in atomics. A handler must not wait for another PE. It is allowed to call puts,
// atomics and shmem_quiet.
// Errors: an invalid number ends the job with an error message.
// Source: Skerry's own.

SKERRY_DECLARE(void, shmemx_interrupt, (int pe, int number))
SKERRY_DECLARE(void, shmemx_on_interrupt, (int number, void (*handler)(void)))
