// SPDX-License-Identifier: BSD-3-Clause
// Begins and ends a program on machines for OpenMP workers (smp, sarc): initialises the C library and calls main.
// Defines the system calls that concern the process. The whole job is one process. The system calls for files are in
// ../chip/host_library.c.
#include "host.h"
#include "worker_world.h"

#include <errno.h>
#include <malloc.h>
#include <reent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/times.h>
#include <unistd.h>

struct skerry_job skerry_job = {.cores = 0};

int main(int argc, char **argv, char **environment);
void __libc_init_array(void);
void _init(void);
void _fini(void);

// The C library calls these two functions before the constructors and after the destructors. They have nothing to do.
void _init(void) {
}

void _fini(void) {
}

// Opens the C library's standard files, in programs that use files. Without this call, the library opens the files at
// their first use. It marks a file as open before the file is open. So another thread that prints at the same time
// would use a file that does not exist yet.
extern void __sinit(struct _reent *library) __attribute__((weak));

// Moves the C library's standard files to memory near the first worker. The library has taken memory for them from
// malloc. Some machines have malloc's memory outside the cores, and each character that a program prints loads several
// words of a file.
static void move_standard_files(void) {
    struct _glue *from = _GLOBAL_REENT->__sglue._next;
    const size_t files = (size_t)from->_niobs * sizeof(__FILE);
    struct _glue *to = skerry_memory_take_near(sizeof *to + files, 8, 0);
    if (!to) return;
    *to = *from;
    to->_iobs = (__FILE *)(void *)(to + 1);
    memcpy(to->_iobs, from->_iobs, files);
    __FILE **standard[] = {&_REENT->_stdin, &_REENT->_stdout, &_REENT->_stderr};
    for (int i = 0; i < 3; i++) {
        *standard[i] = to->_iobs + (*standard[i] - from->_iobs);
        (*standard[i])->_cookie = *standard[i];
    }
    _GLOBAL_REENT->__sglue._next = to;
    free(from);
}

// Defined as 1 for cores whose memories are too small for the C++ library and for PEs of several threads: each of its programs
// would have more code.
#ifndef SKERRY_SMALL_MEMORIES
#define SKERRY_SMALL_MEMORIES 0
#endif

// What libgcc unwinds the stack with when an exception is thrown, in programs in which something can throw. The linker script
// defines the begin of the table; the second function searches in it.
extern const char skerry_frames[] __attribute__((weak));
void __register_frame_info(const void *table, void *object) __attribute__((weak));
const void *_Unwind_Find_FDE(void *code, void *bases) __attribute__((weak));

// Registers the table. The first search sorts it. It is done here, because libgcc takes no lock: later searches only read,
// so all threads can throw at the same time.
static void begin_exceptions(void) {
    static void *object[8]; // libgcc's description of the table
    void *bases[3];
    if (SKERRY_SMALL_MEMORIES || !__register_frame_info || !_Unwind_Find_FDE) return;
    __register_frame_info(skerry_frames, object);
    _Unwind_Find_FDE((char *)skerry_frames, bases);
}

void skerry_run_main(void) {
    if (__sinit) {
        __sinit(_REENT);
        move_standard_files();
    }
    begin_exceptions();
    __libc_init_array();
    exit(main(skerry_job.argument_count, skerry_job.arguments, skerry_job.environment));
}

void skerry_end_job(int status) {
    for (;;) skerry_host_request(SKERRY_HOST_END_JOB, status, 0, 0);
}

clock_t _times(struct tms *times) {
    return (clock_t)SKERRY_HOST_CALL(SKERRY_HOST_TIMES, times, 0, 0);
}

// newlib's aligned_alloc calls this function and does not define it.
int posix_memalign(void **memory, size_t alignment, size_t bytes);
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *block = memalign(alignment, bytes);
    if (!block) return ENOMEM;
    *memory = block;
    return 0;
}

int _getpid(void);
int _getpid(void) {
    return 1;
}

static char *append_text(char *end, const char *text) {
    while (*text) *end++ = *text++;
    return end;
}

static char *append_number(char *end, unsigned number) {
    if (number >= 10) end = append_number(end, number / 10);
    *end = (char)('0' + number % 10);
    return end + 1;
}

// Ends the job with a message that names this PE. Only machines whose PEs have several threads define it.
SKERRY_NORETURN void skerry_end_by_signal(int signal, int thread) __attribute__((weak));

// Ends the process, with a message, if the signal is for this process. abort() and raise() of the C library call this
// function. The exit code is the one by which a shell shows the signal. No other process exists, so a signal for another
// process is an error.
int _kill(int process, int signal);
int _kill(int process, int signal) {
    if (process == _getpid()) {
        if (!SKERRY_SMALL_MEMORIES && skerry_end_by_signal) skerry_end_by_signal(signal, skerry_my_pe());
        char line[80];
        char *end = append_number(append_text(line, "skerry: ended by signal "), (unsigned)signal);
        if (signal == SIGABRT) end = append_text(end, " (abort)");
        end = append_number(append_text(end, ", raised by thread "), (unsigned)skerry_my_pe());
        *end = '\0';
        skerry_warn(line);
        _exit(128 + signal);
    }
    errno = ESRCH;
    return -1;
}
