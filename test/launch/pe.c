// SPDX-License-Identifier: BSD-3-Clause
// A PE without the library: does to its control block what src/machine/linux/job.h says a PE does, as its arguments
// tell it. Arguments are carried out in turn: "@P" restricts the next one to PE P.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../../src/machine/linux/job.h"

static volatile struct skerry_control *control;
static int my_pe, memory;

static long number_after(const char *description, const char *name) {
    const char *at = strstr(description, name);
    if (!at) {
        fprintf(stderr, "pe: no %s in %s\n", name, description);
        exit(99);
    }
    return strtol(at + strlen(name), NULL, 10);
}

static void attach(void) {
    const char *description = getenv(SKERRY_JOB_VARIABLE);
    if (!description) {
        fprintf(stderr, "pe: not started by oshrun\n");
        exit(99);
    }
    my_pe = (int)number_after(description, ",pe=");
    off_t place = (off_t)(((uint64_t)my_pe << SKERRY_PARTITION_SHIFT) + SKERRY_CONTROL_OFFSET);
    memory = (int)number_after(description, "fd=");
    control = mmap(NULL, SKERRY_CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, memory, place);
    if (control == MAP_FAILED) {
        perror("pe: mmap");
        exit(99);
    }
    control->process_id = getpid();
    control->state = SKERRY_PE_ATTACHED;
}

static void pause_for(double seconds) {
    struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

// Leaves a record of a crash at `address` of this executable, then dies of the signal.
static void crash(int signal_number, unsigned long address) {
    control->crash.code = SEGV_MAPERR;
    control->crash.address = 0x10;
    control->crash.frame_count = 1;
    control->crash.frames[0].address = address;
    control->crash.module_count = 1;
    ssize_t length = readlink("/proc/self/exe", (char *)control->crash.modules[0], 255);
    control->crash.modules[0][length < 0 ? 0 : length] = 0;
    control->crash.signal = (uint32_t)signal_number;
    raise(signal_number);
}

static void note_crash(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    control->crash.code = info->si_code;
    control->crash.address = (uint64_t)(uintptr_t)info->si_addr;
    control->crash.signal = (uint32_t)signal_number;
    raise(signal_number);
}

// Touches the first megabytes of the heap, mapped where the library maps it.
static void fill(size_t megabytes) {
    struct sigaction action = {.sa_sigaction = note_crash, .sa_flags = SA_SIGINFO | (int)SA_RESETHAND};
    sigaction(SIGBUS, &action, NULL);
    uint64_t place = ((uint64_t)my_pe << SKERRY_PARTITION_SHIFT) + SKERRY_HEAP_OFFSET;
    char *heap = mmap((void *)(SKERRY_BASE + place), megabytes << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                      memory, (off_t)place);
    if (heap == MAP_FAILED) {
        perror("pe: mmap");
        exit(99);
    }
    memset(heap, 1, megabytes << 20);
}

static void global_exit(int status) {
    control->exit_code = status;
    control->state = SKERRY_PE_GLOBAL_EXIT;
    exit(status);
}

static void act(const char *word, const char *value) {
    if (strcmp(word, "init") == 0) control->state = SKERRY_PE_RUNNING;
    else if (strcmp(word, "finalize") == 0) control->state = SKERRY_PE_FINALIZED;
    else if (strcmp(word, "refuse") == 0) control->state = SKERRY_PE_ABORTED;
    else if (strcmp(word, "peak") == 0) control->heap_peak = strtoull(value, NULL, 10);
    else if (strcmp(word, "exit") == 0) exit(atoi(value));
    else if (strcmp(word, "global_exit") == 0) global_exit(atoi(value));
    else if (strcmp(word, "sleep") == 0) pause_for(atof(value));
    else if (strcmp(word, "say") == 0) printf("%s\n", value), fflush(stdout);
    else if (strcmp(word, "rank") == 0) printf("%d\n", my_pe), fflush(stdout);
    else if (strcmp(word, "job") == 0) printf("%s\n", getenv(SKERRY_JOB_VARIABLE)), fflush(stdout);
    else if (strcmp(word, "fill") == 0) fill((size_t)atoi(value));
    else if (strcmp(word, "kill") == 0) raise(atoi(value));
    else if (strcmp(word, "crash") == 0) crash(SIGSEGV, strtoul(value, NULL, 16));
    else fprintf(stderr, "pe: %s: unknown\n", word), exit(99);
}

int main(int count, char **words) {
    attach();
    for (int i = 1; i < count; i++) {
        if (words[i][0] == '@') {
            if (atoi(words[i] + 1) != my_pe) i++;
            continue;
        }
        char word[32];
        const char *equals = strchr(words[i], '=');
        size_t length = equals ? (size_t)(equals - words[i]) : strlen(words[i]);
        if (length >= sizeof word) return 99;
        memcpy(word, words[i], length);
        word[length] = 0;
        act(word, equals ? equals + 1 : "");
    }
    return 0;
}
