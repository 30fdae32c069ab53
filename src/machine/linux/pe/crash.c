// SPDX-License-Identifier: BSD-3-Clause
// Explains the death of a PE by a signal. The PE's signal handler writes a record to the PE's control block, which the
// launcher can read (../job.h): the signal, the faulting instruction, and the calls that led to it. After that the
// signal has its default effect. When the process has ended, the launcher reads the record and finds the symbols and
// lines of source.
//
// If the program or a sanitizer has already set its own handler for a signal, that handler stays. No record is written
// for that signal.
#define _GNU_SOURCE
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "internal.h"
#include "../arch/signal.h"

#define ALTERNATE_STACK_BYTES 65536

struct frames {
    uintptr_t at[SKERRY_CRASH_FRAMES + 8];
    uint32_t count;
};

static _Unwind_Reason_Code collect_frame(struct _Unwind_Context *context, void *argument) {
    struct frames *frames = argument;
    if (frames->count == sizeof frames->at / sizeof frames->at[0]) return _URC_END_OF_STACK;
    frames->at[frames->count++] = (uintptr_t)_Unwind_GetIP(context);
    return _URC_NO_REASON;
}

struct module_search {
    uintptr_t address;
    struct skerry_crash *crash;
    struct skerry_crash_frame *frame;
};

static uint32_t module_number(struct skerry_crash *crash, const char *path) {
    if (!path[0]) return 0; // the executable
    uint32_t modules_max = sizeof crash->modules / sizeof crash->modules[0];
    for (uint32_t i = 0; i < crash->module_count; i++)
        if (strncmp(crash->modules[i], path, sizeof crash->modules[i] - 1) == 0) return i;
    if (crash->module_count == modules_max) return SKERRY_CRASH_NO_MODULE;
    strncpy(crash->modules[crash->module_count], path, sizeof crash->modules[0] - 1);
    return crash->module_count++;
}

static int find_module(struct dl_phdr_info *info, size_t size, void *argument) {
    (void)size;
    struct module_search *search = argument;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_X) ||
            search->address - (info->dlpi_addr + header->p_vaddr) >= header->p_memsz)
            continue;
        search->frame->address = search->address - info->dlpi_addr;
        search->frame->module = module_number(search->crash, info->dlpi_name);
        return 1;
    }
    return 0;
}

static bool note_frame(struct skerry_crash *crash, uintptr_t address) {
    if (crash->frame_count == SKERRY_CRASH_FRAMES) return true;
    struct module_search search = {address, crash, &crash->frames[crash->frame_count]};
    if (!dl_iterate_phdr(find_module, &search)) return false;
    crash->frame_count++;
    return true;
}

static void note_no_code(struct skerry_crash *crash, uintptr_t address) {
    crash->frames[crash->frame_count++] =
        (struct skerry_crash_frame){.address = address, .module = SKERRY_CRASH_NO_MODULE};
}

// Records the faulting instruction and the calls that led to it. A jump to an address without code, for example by a
// call of a null pointer, needs special care. From such an address the unwinder would find no calls. So unwinding
// begins at the code that jumped there.
static void note_frames(struct skerry_crash *crash, const siginfo_t *info, ucontext_t *context) {
    mcontext_t original = context->uc_mcontext;
    uintptr_t start = skerry_arch_program_counter(context);
    if (!note_frame(crash, start) && (uintptr_t)info->si_addr == start) {
        note_no_code(crash, start);
        skerry_arch_leave_function(context);
        start = skerry_arch_program_counter(context);
        note_frame(crash, start - 1);
    }
    struct frames frames = {.count = 0};
    _Unwind_Backtrace(collect_frame, &frames);
    uint32_t first = 0; // index of the faulting frame, which is recorded already
    while (first < frames.count && frames.at[first] != start) first++;
    for (uint32_t i = first + 1; i < frames.count; i++) note_frame(crash, frames.at[i] - 1);
    context->uc_mcontext = original;
}

// Path of this PE's executable, for the crash record. The PE reads the path at start-up. The launcher cannot find the
// path itself: the PE's process has ended when the launcher reads the record, and in the launcher "/proc/self/exe"
// names the launcher.
static char executable[256];

// Ends the job with a message if the fault was an access to the job's memory before shmem_init or aos_init. Before
// these routines are called, not all of that memory is mapped.
static void refuse_early_access(const siginfo_t *info) {
    uint64_t distance = (uint64_t)(uintptr_t)info->si_addr - SKERRY_BASE;
    bool in_job_memory = distance < (uint64_t)SKERRY_PES_MAX << SKERRY_PARTITION_SHIFT;
    uint32_t state = __atomic_load_n(&skerry_control_of(skerry_facts.my_pe)->state, __ATOMIC_ACQUIRE);
    if (!in_job_memory || state != SKERRY_PE_ATTACHED) return;
    skerry_refuse("symmetric memory was accessed (at %p) before shmem_init or aos_init", info->si_addr);
}

static void handle_fatal_signal(int signal_number, siginfo_t *info, void *context) {
    if (signal_number == SIGSEGV || signal_number == SIGBUS) refuse_early_access(info);
    struct skerry_crash *crash = &skerry_control_of(skerry_facts.my_pe)->crash;
    if (crash->signal == 0) {
        crash->code = info->si_code;
        crash->address = (uint64_t)(uintptr_t)info->si_addr;
        crash->module_count = 1;
        memcpy(crash->modules[0], executable, sizeof executable);
        crash->signal = (uint32_t)signal_number; // marks the record as present, even if unwinding fails
        note_frames(crash, info, context);
        skerry_fail_by_signal(signal_number);
    }
    // SA_RESETHAND has restored the default action, so the signal that is raised here ends the process. A faulting
    // instruction would raise its signal again when this handler returns. A signal from another process would not come
    // again, so this call is needed.
    raise(signal_number);
}

void skerry_catch_crashes(void) {
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    ssize_t length = readlink("/proc/self/exe", executable, sizeof executable - 1);
    if (length < 0) executable[0] = 0;
    void *stack = mmap(NULL, ALTERNATE_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return;
    stack_t previous;
    stack_t alternate = {.ss_sp = stack, .ss_size = ALTERNATE_STACK_BYTES};
    if (sigaltstack(NULL, &previous) == 0 && previous.ss_flags & SS_DISABLE) sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++) {
        struct sigaction action;
        if (sigaction(fatal[i], NULL, &action) != 0 || action.sa_handler != SIG_DFL) continue;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = handle_fatal_signal;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND;
        sigaction(fatal[i], &action, NULL);
    }
}
