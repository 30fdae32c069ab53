// SPDX-License-Identifier: BSD-3-Clause
// Declares how a host program and the I/O program that it has started on an MPPA communicate over PCI Express. Both
// programs use the same names. A host program includes <pcie.h>, which also declares how it starts the I/O program.
#ifndef SKERRY_MPPA_PCIE_QUEUE_H
#define SKERRY_MPPA_PCIE_QUEUE_H

#include <stdio.h>

#ifndef SKERRY_MPPA_HOST // defined by pcie.h in host programs
#include <mppa_async.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef long long mppadesc_t;

//@ pcie_open: pcie_open
// Opens the connection of an I/O program to the host program that has started it. A program first calls
// __k1_spawn_type(3), which says if there is such a host program.
//   DEVICE  ignored, and may be missing
// Returns: a descriptor for pcie_queue_init(3); -1 if no host program has started this program.
// Source: Kalray's public interface.

mppadesc_t skerry_pcie_open(void);
#define pcie_open(...) skerry_pcie_open()

//@ pcie_queue_init: pcie_queue_init pcie_register_console pcie_unregister_console
// Prepares the connection between a host program and its I/O program. Here it is ready from the start, and the I/O
// program has the host program's standard input and output. So these routines only check their arguments.
//   fd      result of pcie_open_device(3) in a host program, or of pcie_open(3) in an I/O program
//   input, output  stdin and stdout
// Returns: 0. In a host program pcie_register_console returns -1 if input and output are other files. In an I/O program all
// return -1 if the descriptor is not one of a connection.
// Errors: a host program that has started no I/O program on this device ends with an error message.
// Source: Kalray's public interface.

int pcie_queue_init(mppadesc_t fd);
int pcie_register_console(mppadesc_t fd, FILE *input, FILE *output);
int pcie_unregister_console(mppadesc_t fd);

//@ pcie_queue_barrier: pcie_queue_barrier
// Waits until the host program and its I/O program have both called this routine, and gives each the other's number.
//   fd      result of pcie_open_device(3) in a host program, or of pcie_open(3) in an I/O program
//   number  number for the other program
//   status  NULL, or receives the other program's number
// Order: what a program has printed or written to a file before comes before what the other one does afterwards.
// Returns: 0; -1 in an I/O program that no host program has started.
// Errors: if the other program has called pcie_queue_exit(3), or has ended, the caller ends with an error message. A host
// program then has the I/O program's exit code, but 1 instead of 0, or 128 and the number of the signal.
// Source: Kalray's public interface.

int pcie_queue_barrier(mppadesc_t fd, int number, int *status);

//@ pcie_queue_exit: pcie_queue_exit
// Ends the communication between a host program and its I/O program. In the host program it waits until the I/O program
// has called it too, or has ended without it, and then at most 10 seconds for its end. In the I/O program it waits for the
// host program's call only if `status` is not NULL, and the program goes on.
//   fd      result of pcie_open_device(3) in a host program, or of pcie_open(3) in an I/O program
//   code    number for the other program
//   status  NULL, or receives the other program's number; in a host program 0 is replaced by the I/O program's exit code
// Returns: 0; -1 in an I/O program that no host program has started, or whose host program has closed the connection.
// Errors: if a signal has killed the I/O program, or it does not end within 10 seconds, the host program ends with an
// error message.
// Source: Kalray's public interface.

int pcie_queue_exit(mppadesc_t fd, int code, int *status);

#ifdef __cplusplus
}
#endif

#endif
