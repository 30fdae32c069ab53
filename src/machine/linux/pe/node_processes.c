// SPDX-License-Identifier: BSD-3-Clause
// Finds a process of this node that the launcher has started, and that has ended before it became a PE. For example, it runs
// another program, such as `true`, or was killed. Neither Slurm nor Open MPI tells this to the other processes, which would wait
// for it until their time limit.
//
// The processes of a job have the variables PMIX_NAMESPACE and PMIX_RANK in their environments, which the kernel shows in
// /proc. A process counts as ended if no process has its rank, at two times. What looks the same at a slow start:
// * The launcher's daemon on this node (such as slurmstepd) has not created the process yet. Then the daemon runs. So nothing
//   counts if the daemon does not sleep.
// * The daemon has created the process, which does not execute its program yet. Then it has the daemon's name.
// * The process is in a container, and this process is not allowed to read its environment. Then the child of the daemon cannot be
//   read. If this process itself is in a container that hides other processes, its own ancestors end before the daemon.
#define _GNU_SOURCE
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "managed_internal.h"

#define FIRST_LOOK_SECONDS 3
#define LOOK_INTERVAL 2

struct process {
    int parent;
    char state;    // as in proc(5)
    char name[64]; // of the file that it executes
};

static bool read_process(int number, struct process *process) {
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", number);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = 0;
    const char *begin = strchr(text, '('), *end = strrchr(text, ')'); // the text is "NUMBER (NAME) STATE PARENT ..."
    if (!begin || !end || sscanf(end + 1, " %c %d", &process->state, &process->parent) != 2) return false;
    snprintf(process->name, sizeof process->name, "%.*s", (int)(end - begin - 1), begin + 1);
    return true;
}

enum { NO_RANK = -1, UNREADABLE = -2 };

// Returns the rank of a process if it belongs to this job. A program that a PE has started has the rank of the PE.
static int rank_of_process(int number) {
    char path[32], *entry = NULL;
    size_t size = 0;
    const char *job = getenv("PMIX_NAMESPACE");
    bool is_of_job = false, is_read = false;
    int rank = NO_RANK;
    snprintf(path, sizeof path, "/proc/%d/environ", number);
    FILE *file = fopen(path, "re");
    if (!file) return UNREADABLE;
    while (getdelim(&entry, &size, 0, file) > 0) {
        is_read = true;
        if (strncmp(entry, "PMIX_NAMESPACE=", 15) == 0) is_of_job = job && strcmp(entry + 15, job) == 0;
        if (strncmp(entry, "PMIX_RANK=", 10) == 0) rank = atoi(entry + 10);
    }
    free(entry);
    fclose(file);
    if (!is_read) return UNREADABLE;
    return is_of_job ? rank : NO_RANK;
}

// Returns the process that has started this one for the launcher: the first ancestor without this process's rank. Returns -1 if
// it is not visible.
static int find_daemon(void) {
    struct process process;
    for (int number = getpid(); read_process(number, &process); number = process.parent) {
        if (process.parent <= 1) return -1;
        if (rank_of_process(process.parent) != skerry_managed.job.rank) return process.parent;
    }
    return -1;
}

// Finds out for each process of this node if it runs. Returns false if that is not certain.
static bool find_running(bool *runs) {
    struct process daemon, process;
    const int daemon_number = find_daemon();
    if (daemon_number < 0 || !read_process(daemon_number, &daemon)) return false;
    DIR *folder = opendir("/proc");
    if (!folder) return false;
    bool is_certain = daemon.state == 'S';
    for (const struct dirent *entry; is_certain && (entry = readdir(folder));) {
        const int number = atoi(entry->d_name);
        if (number <= 0 || !read_process(number, &process) || process.state == 'Z' || process.state == 'X') continue;
        const int rank = rank_of_process(number);
        const bool is_child = process.parent == daemon_number;
        if (is_child && (rank == UNREADABLE || strcmp(process.name, daemon.name) == 0)) is_certain = false;
        for (uint32_t i = 0; i < skerry_facts.near_count; i++)
            if (skerry_managed.job.near_ranks[i] == rank) runs[i] = true;
    }
    closedir(folder);
    return is_certain;
}

int skerry_find_ended_process(bool (*is_missing)(uint32_t), double waited) {
    static double next_look = FIRST_LOOK_SECONDS;
    static bool *had_ended; // at the previous look
    if (waited < next_look) return -1;
    next_look = waited + LOOK_INTERVAL;
    const uint32_t count = skerry_facts.near_count;
    bool *runs = calloc(count, sizeof *runs);
    if (!had_ended) had_ended = calloc(count, sizeof *had_ended);
    if (!runs || !had_ended) {
        free(runs);
        return -1;
    }
    const bool is_certain = find_running(runs);
    int ended = -1;
    for (uint32_t i = 0; i < count; i++) {
        const bool has_ended = is_certain && !runs[i] && is_missing(i);
        if (has_ended && had_ended[i] && ended < 0) ended = (int)i;
        had_ended[i] = has_ended;
    }
    free(runs);
    return ended;
}
