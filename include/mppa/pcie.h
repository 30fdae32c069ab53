// SPDX-License-Identifier: BSD-3-Clause
// Declares the routines of a host program: a program for the computer beside an MPPA. It starts a program on the MPPA's I/O
// processor through PCI Express. I/O programs may include this header too; for them it is pcie_queue.h.
#ifndef SKERRY_MPPA_PCIE_H
#define SKERRY_MPPA_PCIE_H

#ifdef __k1__ // an I/O program

#include "pcie_queue.h"

#else

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SKERRY_MPPA_HOST 1
#include "pcie_queue.h"
#undef pcie_open // a name for I/O programs only

#ifdef __cplusplus
extern "C" {
#endif

//@ pcie_open_device: pcie_open_device pcie_close
// Opens an MPPA, or closes it. Each open device can run one I/O program at a time. pcie_close stops an I/O program that
// still runs, with a line that says so. The end of the host program does the same.
//   device  number of the device, 0 to 7
//   fd      result of pcie_open_device
// Returns: pcie_open_device returns a descriptor, or 0 if there is no such device or it is open. pcie_close returns 0.
// Errors: pcie_close ends the program with an error message if the descriptor is not one of an open device.
// Source: Kalray's public interface.

mppadesc_t pcie_open_device(int device);
int pcie_close(mppadesc_t fd);

// The oshrun that runs programs for the simulated chip. oshcc defines SKERRY_OSHRUN as its path. If there is none at this
// path, it is searched for in `PATH`.
extern const char *skerry_pcie_oshrun;
#ifdef SKERRY_OSHRUN
#define pcie_open_device(DEVICE) (skerry_pcie_oshrun = SKERRY_OSHRUN, (pcie_open_device)(DEVICE))
#endif

//@ pcie_load_io_exec_args_mb: pcie_load_io_exec_args_mb pcie_load_io_exec_mb pcie_load_io_exec
// Starts a program as the I/O program (the master) of an MPPA. There __k1_spawn_type(3) returns
// __MPPA_PCI_SPAWN. A program that oshcc --machine mppa has compiled runs on the simulated chip, by oshrun.
//   fd         result of pcie_open_device(3)
//   multibin   path of the file that has all programs of an MPPA. Here programs are files of their own, and this file need
//              not exist: only its folder is used, in which the I/O program is searched for
//   program    a path, or a name to search for in multibin's folder, the host program's folder, the working directory, and
//              `PATH`. NULL: multibin is the program
//   arguments  arguments of main, including the program's name. NULL: only the name. On the simulated chip the first one
//              is replaced by the program's path
//   count      number of arguments
//   flags      PCIE_LOAD_FULL; ignored
// Returns: 0; -1 after an error message if the program could not be started, or one still runs on this device.
// Errors: a descriptor that is not one of an open device ends the program with an error message.
// Source: Kalray's public interface.

int pcie_load_io_exec_args_mb(mppadesc_t fd, const char *multibin, const char *program, const char *const *arguments,
                              int count, int flags);
int pcie_load_io_exec_mb(mppadesc_t fd, const char *multibin, const char *program, int flags);
int pcie_load_io_exec(mppadesc_t fd, const char *program);
#define PCIE_LOAD_FULL 0

// Programs pass their own argv, which has another type in C.
#ifndef __cplusplus
#define pcie_load_io_exec_args_mb(FD, MULTIBIN, PROGRAM, ARGUMENTS, COUNT, FLAGS)                                      \
    (pcie_load_io_exec_args_mb)(FD, MULTIBIN, PROGRAM, (const char *const *)(ARGUMENTS), COUNT, FLAGS)
#endif

#ifdef __cplusplus
}
#endif

#endif

#endif
