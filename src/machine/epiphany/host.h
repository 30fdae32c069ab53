// SPDX-License-Identifier: BSD-3-Clause
// Trap numbers of the services of the host, the machine that the chip is connected to.
#ifndef SKERRY_MACHINE_EPIPHANY_HOST_H
#define SKERRY_MACHINE_EPIPHANY_HOST_H

#define TRAP_WRITE 0
#define TRAP_READ 1
#define TRAP_OPEN 2
#define TRAP_EXIT 3
#define TRAP_CLOSE 6
#define TRAP_OTHER 7
#define CALL_END_JOB 0x5b01 // Skerry's own service: ends all cores, exit status in r0

#endif
