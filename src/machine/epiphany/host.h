// SPDX-License-Identifier: BSD-3-Clause
// Calls the services of the host, the machine that the chip is connected to, by trap instructions.
#ifndef SKERRY_MACHINE_EPIPHANY_HOST_H
#define SKERRY_MACHINE_EPIPHANY_HOST_H

#define TRAP_WRITE 0
#define TRAP_READ 1
#define TRAP_OPEN 2
#define TRAP_EXIT 3
#define TRAP_CLOSE 6
#define TRAP_OTHER 7
#define CALL_END_JOB 0x5b01 // Skerry's own service: ends all cores, exit status in r0

// Services that the C library needs. The first number is the number of the trap. The second number distinguishes
// services with the same trap.
#define SKERRY_HOST_WRITE TRAP_WRITE, 0
#define SKERRY_HOST_READ TRAP_READ, 0
#define SKERRY_HOST_OPEN TRAP_OPEN, 0
#define SKERRY_HOST_CLOSE TRAP_CLOSE, 0
#define SKERRY_HOST_SEEK TRAP_OTHER, 6
#define SKERRY_HOST_UNLINK TRAP_OTHER, 7
#define SKERRY_HOST_FSTAT TRAP_OTHER, 10
#define SKERRY_HOST_STAT TRAP_OTHER, 15
#define SKERRY_HOST_TIME_OF_DAY TRAP_OTHER, 19

// Calls a service of the host and returns its result. After a failure the result is -1 and errno is set. The arguments
// are in r0 to r2, and the number of the service in r3. The host returns the result in r0 and the error in r3.
#define SKERRY_HOST_CALL(SERVICE, A, B, C) SKERRY_HOST_CALL_(SERVICE, A, B, C)
#define SKERRY_HOST_CALL_(TRAP, NUMBER, A, B, C)                                                                       \
    __extension__({                                                                                                    \
        register long r0 __asm__("r0") = (long)(A);                                                                    \
        register long r1 __asm__("r1") = (long)(B);                                                                    \
        register long r2 __asm__("r2") = (long)(C);                                                                    \
        register long r3 __asm__("r3") = (NUMBER);                                                                     \
        __asm__ volatile("trap %4" : "+r"(r0), "+r"(r3) : "r"(r1), "r"(r2), "i"(TRAP) : "memory", "cc");               \
        if (r0 == -1) errno = (int)r3;                                                                                 \
        r0;                                                                                                            \
    })

#endif
