// SPDX-License-Identifier: BSD-3-Clause
// Requests services of the host by the instruction `ecall`. The host is the machine that a simulated RISC-V core is
// connected to. The numbers of the services are those of Linux, which libgloss (newlib's code for boards) uses for
// RISC-V too. The numbers for the program's arguments are the simulator's own (sim/host/semihost.hpp). A failure is
// returned as a negative error number.
#ifndef SKERRY_MACHINE_RISCV_HOST_H
#define SKERRY_MACHINE_RISCV_HOST_H

enum skerry_host_service {
    SKERRY_HOST_ARGUMENT_COUNT = 22,
    SKERRY_HOST_ARGUMENT_LENGTH = 23,
    SKERRY_HOST_ARGUMENT = 24,
    SKERRY_HOST_CLOSE = 57,
    SKERRY_HOST_SEEK = 62,
    SKERRY_HOST_READ = 63,
    SKERRY_HOST_WRITE = 64,
    SKERRY_HOST_FSTAT = 80,
    SKERRY_HOST_EXIT = 93,    // ends this core's program
    SKERRY_HOST_END_JOB = 94, // ends all cores
    SKERRY_HOST_TIMES = 153,
    SKERRY_HOST_TIME_OF_DAY = 169,
    SKERRY_HOST_OPEN = 1024,
    SKERRY_HOST_START_PROGRAM = 0x5b02, // on another PE (sim/chip/programs.hpp)
    SKERRY_HOST_CHECK_PROGRAM = 0x5b03, // whether it can be started
    SKERRY_HOST_LINK_CYCLES = 0x5b04,   // of a message of a host program (sim/host/host_link.hpp)
    SKERRY_HOST_LINK_SEND = 0x5b05,
    SKERRY_HOST_LINK_RECEIVE = 0x5b06,
    SKERRY_HOST_UNLINK = 1026,
    SKERRY_HOST_STAT = 1038,
};

static inline long skerry_host_request(enum skerry_host_service service, long first, long second, long third) {
    register long a0 __asm__("a0") = first;
    register long a1 __asm__("a1") = second;
    register long a2 __asm__("a2") = third;
    register long a7 __asm__("a7") = service;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

// Calls a service of the host and returns its result. After a failure the result is -1 and errno is set.
#define SKERRY_HOST_CALL(SERVICE, A, B, C)                                                                             \
    __extension__({                                                                                                    \
        long skerry_result = skerry_host_request(SERVICE, (long)(A), (long)(B), (long)(C));                            \
        skerry_result < 0 ? (errno = (int)-skerry_result, -1) : skerry_result;                                         \
    })

#endif
