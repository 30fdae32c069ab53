// SPDX-License-Identifier: BSD-3-Clause
// Copies from and to memory of another PE that this PE does not map. The kernel copies the data between the two
// processes, if its settings allow this (process_vm_readv, process_vm_writev). Also finds out, without a fault, whether
// a PE can load from and store to a range of its own memory.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define BLOCKS_AT_ONCE 64

static bool refused;

// Lets the other PEs read and write this PE's memory. Some kernels allow this access only to a process that this PE has
// named, and to the descendants of that process. All PEs are descendants of the launcher, so this PE names the
// launcher.
void skerry_cross_memory_allow(void) {
    prctl(PR_SET_PTRACER, (unsigned long)skerry_job.id, 0, 0, 0);
}

static bool is_refused(void) {
    static bool known; // several threads possibly find out at the same time, with the same result
    if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
        // Version 0.1 called this variable SKERRY_NO_REACH.
        if (skerry_is_switched_on("SKERRY_NO_CROSS_MEMORY") || skerry_is_switched_on("SKERRY_NO_REACH"))
            __atomic_store_n(&refused, true, __ATOMIC_RELAXED);
        __atomic_store_n(&known, true, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&refused, __ATOMIC_RELAXED);
}

static size_t fill(struct iovec *vector, uintptr_t at, ptrdiff_t stride, size_t bytes, size_t blocks) {
    for (size_t i = 0; i < blocks; i++)
        vector[i] = (struct iovec){.iov_base = (void *)(at + i * (size_t)stride), .iov_len = bytes};
    return bytes * blocks;
}

// Largest number of bytes that one system call copies. A longer block is copied in pieces.
#define PIECE_BYTES ((size_t)1 << 30)

// Waits at most END_LIMIT_MS milliseconds for the launcher to end the job. Called if the process of PE `pe` does not
// exist any more.
// * Some milliseconds after a PE has died, the launcher reports which PE died, and ends the job. Without the wait, this
//   PE would end the job first, with a less useful message about an access that failed.
// * The wait ends early if PE `pe` has left the job in order.
// * If the process was a program that PE 0 had started, PE 0 judges its end in place of the launcher. The wait ends when PE 0
//   says that the program does not run: then it has not ended the job for this program.
#define END_LIMIT_MS 5000

static bool has_ended_in_order(int pe) {
    if (__atomic_load_n(&skerry_control_of(pe)->state, __ATOMIC_ACQUIRE) == SKERRY_PE_FINALIZED) return true;
    return pe != 0 && skerry_has_programs() && !(skerry_programs_running() >> pe & 1);
}

static void await_end(int pe) {
    const struct timespec moment = {.tv_nsec = 1000000};
    for (int waited = 0; waited < END_LIMIT_MS && !has_ended_in_order(pe); waited++) nanosleep(&moment, NULL);
}

static enum skerry_cross_memory copy_once(long call, const struct iovec *here, const struct iovec *there, size_t blocks,
                                          size_t bytes, int pe) {
    long done = syscall(call, (long)skerry_control_of(pe)->process_id, here, blocks, there, blocks, 0L);
    if (done == (long)bytes) return SKERRY_CROSS_MEMORY_DONE;
    if (done >= 0 || errno == EFAULT) return SKERRY_CROSS_MEMORY_FAULT;
    if (errno == ESRCH) {
        await_end(pe);
        return SKERRY_CROSS_MEMORY_FAULT;
    }
    __atomic_store_n(&refused, true, __ATOMIC_RELAXED);
    return SKERRY_CROSS_MEMORY_REFUSED;
}

static enum skerry_cross_memory copy(long call, uintptr_t here, ptrdiff_t here_stride, uintptr_t there,
                                     ptrdiff_t there_stride, size_t block_bytes, size_t blocks, int pe) {
    struct iovec near[BLOCKS_AT_ONCE], far[BLOCKS_AT_ONCE];
    if (is_refused()) return SKERRY_CROSS_MEMORY_REFUSED;
    if (here_stride == there_stride && here_stride == (ptrdiff_t)block_bytes) {
        block_bytes *= blocks;
        blocks = blocks > 0;
    }
    for (size_t done = 0; done < block_bytes; done += PIECE_BYTES) {
        size_t piece = block_bytes - done < PIECE_BYTES ? block_bytes - done : PIECE_BYTES;
        size_t at_once = piece < PIECE_BYTES / BLOCKS_AT_ONCE ? BLOCKS_AT_ONCE : 1;
        for (size_t first = 0; first < blocks; first += at_once) {
            size_t count = blocks - first < at_once ? blocks - first : at_once;
            size_t bytes = fill(near, here + first * (size_t)here_stride + done, here_stride, piece, count);
            fill(far, there + first * (size_t)there_stride + done, there_stride, piece, count);
            enum skerry_cross_memory outcome = copy_once(call, near, far, count, bytes, pe);
            if (outcome != SKERRY_CROSS_MEMORY_DONE) return outcome;
        }
    }
    return SKERRY_CROSS_MEMORY_DONE;
}

enum skerry_cross_memory skerry_cross_memory_put(uintptr_t dest, const void *source, ptrdiff_t dest_stride,
                                                 ptrdiff_t source_stride, size_t block_bytes, size_t blocks, int pe) {
    return copy(SYS_process_vm_writev, (uintptr_t)source, source_stride, dest, dest_stride, block_bytes, blocks, pe);
}

enum skerry_cross_memory skerry_cross_memory_get(void *dest, uintptr_t source, ptrdiff_t dest_stride,
                                                 ptrdiff_t source_stride, size_t block_bytes, size_t blocks, int pe) {
    return copy(SYS_process_vm_readv, (uintptr_t)dest, dest_stride, source, source_stride, block_bytes, blocks, pe);
}

// -- Access of this PE to its own memory ------------------------------------------------------------------------------

// Returns true if the word can be loaded. The system call reads a set of signals from the word before it checks the
// operation. Operation -1 does not exist, so the system call fails with EINVAL. If the word is not readable, the system
// call fails with another error.
static bool may_read(uintptr_t word) {
    return syscall(SYS_rt_sigprocmask, -1, word, 0L, (long)sizeof(uint64_t)) != 0 && errno == EINVAL;
}

// Returns true if the word can be stored to. The kernel ORs 0 into the word, atomically, before it searches for threads
// to wake. If a store to the word would fault, the system call fails.
static bool may_write(uintptr_t word) {
    static uint32_t nobody; // no thread waits at this word
    const int or_nothing = FUTEX_OP(FUTEX_OP_OR, 0, FUTEX_OP_CMP_EQ, -2048);
    return syscall(SYS_futex, &nobody, FUTEX_WAKE_OP | FUTEX_PRIVATE_FLAG, 0, 0L, word, or_nothing) >= 0;
}

static bool may_all(bool (*may)(uintptr_t word), uintptr_t address, size_t bytes) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t last = address + bytes - 1;
    if (bytes == 0) return true;
    if (last < address) return false;
    for (uintptr_t word = address & ~(uintptr_t)7;; word = (word & ~(page - 1)) + page) {
        if (!may(word)) return false;
        if ((word | (page - 1)) >= last) return true;
    }
}

bool skerry_is_readable(const void *address, size_t bytes) {
    return may_all(may_read, (uintptr_t)address, bytes);
}

bool skerry_is_writable(void *address, size_t bytes) {
    return may_all(may_write, (uintptr_t)address, bytes);
}
