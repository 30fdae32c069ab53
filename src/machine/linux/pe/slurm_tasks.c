// SPDX-License-Identifier: BSD-3-Clause
// Finds a node of this job on which no process runs any more, in a job that Slurm's srun has started. The reason can be
// that the program, or a library that it needs, is missing on that node. Slurm lets the other processes go on, and PMIx
// does not report such an end. So shmem_init would wait until its time limit.
//
// One process of the job asks Slurm, only after shmem_init has waited for some seconds. It starts a step on the nodes of
// the job: `scontrol listpids` prints there the ranks of the processes that run. A node starts this step only after its
// prolog, so a node that is slow to start does not count as absent if the caller asks twice.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "managed_internal.h"

#define ANSWER_SECONDS 10
#define END_MILLISECONDS 1000 // for the command to end, after its output or SIGTERM
#define LINE_BYTES 256

static bool begins_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

// Returns a copy of the environment for Slurm's commands. Leaves out variables by which srun would take over properties of
// this job's own step, and those by which the command would become a PE. Returns NULL if there is no memory.
static char **environment_for_slurm(void) {
    size_t count = 0, kept = 0;
    while (environ[count]) count++;
    char **copy = malloc((count + 1) * sizeof *copy);
    if (!copy) return NULL;
    for (size_t i = 0; i < count; i++) {
        const bool is_own = begins_with(environ[i], "PMI") || begins_with(environ[i], "SKERRY_") ||
                            (begins_with(environ[i], "SLURM_") && !begins_with(environ[i], "SLURM_CONF="));
        if (!is_own) copy[kept++] = environ[i];
    }
    copy[kept] = NULL;
    return copy;
}

// Starts a command, with a pipe from its standard output. Returns the read end of the pipe and stores the process id.
// Returns -1 if that fails.
static int start(char *const words[], pid_t *process) {
    int output[2];
    char **environment = environment_for_slurm();
    if (!environment || pipe2(output, O_CLOEXEC) != 0) {
        free(environment);
        return -1;
    }
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int failure = posix_spawnp(process, words[0], &actions, &attributes, words, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(environment);
    close(output[1]);
    if (failure == 0) return output[0];
    close(output[0]);
    return -1;
}

static long milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Notes the rank in a line of `scontrol listpids`: "PID JOBID STEPID LOCALID GLOBALID". The rank of a process that is no
// task of the step is no number.
static void note_line(const char *line, bool *runs) {
    int rank = -1;
    if (sscanf(line, "%*d %*s %*s %*s %d", &rank) == 1 && rank >= 0 && rank < skerry_managed.job.size)
        runs[rank] = true;
}

// Reads the command's output until its end, and notes the ranks. Returns false if the time is over.
static bool read_ranks(int output, bool *runs) {
    const long end = milliseconds_now() + ANSWER_SECONDS * 1000;
    char line[LINE_BYTES], bytes[1024];
    size_t used = 0;
    for (;;) {
        const long left = end - milliseconds_now();
        if (left <= 0 || poll(&(struct pollfd){.fd = output, .events = POLLIN}, 1, (int)left) <= 0) return false;
        const ssize_t length = read(output, bytes, sizeof bytes);
        if (length <= 0) return true;
        for (ssize_t i = 0; i < length; i++) {
            if (bytes[i] != '\n') {
                if (used + 1 < sizeof line) line[used++] = bytes[i];
                continue;
            }
            line[used] = 0;
            used = 0;
            note_line(line, runs);
        }
    }
}

// Waits until the command has ended, and ends it by SIGKILL after a time limit: srun can wait for a node that it does not
// reach.
static void end_command(pid_t process) {
    const long end = milliseconds_now() + END_MILLISECONDS;
    while (waitpid(process, NULL, WNOHANG) == 0) {
        if (milliseconds_now() >= end) {
            kill(process, SIGKILL);
            waitpid(process, NULL, 0);
            return;
        }
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    }
}

// Asks Slurm for the ranks of the processes that run, and stores them in `runs`. Returns false if Slurm does not answer.
static bool list_ranks(bool *runs) {
    const char *job = getenv("SLURM_JOB_ID"), *step = getenv("SLURM_STEP_ID"), *nodes = getenv("SLURM_STEP_NODELIST");
    if (!job || !step || !nodes || getenv("SLURM_HET_SIZE")) return false;
    char job_option[64], nodes_option[32], tasks_option[32], step_name[64], list_option[4096];
    snprintf(job_option, sizeof job_option, "--jobid=%s", job);
    snprintf(nodes_option, sizeof nodes_option, "--nodes=%d", skerry_managed.job.node_count);
    snprintf(tasks_option, sizeof tasks_option, "--ntasks=%d", skerry_managed.job.node_count);
    snprintf(step_name, sizeof step_name, "%s.%s", job, step);
    if (snprintf(list_option, sizeof list_option, "--nodelist=%s", nodes) >= (int)sizeof list_option) return false;
    char *const words[] = {"srun",
                           job_option,
                           nodes_option,
                           tasks_option,
                           "--ntasks-per-node=1",
                           list_option,
                           "--overlap",
                           "--mpi=none",
                           "--quiet",
                           "--input=none",
                           "--kill-on-bad-exit=0",
                           "--cpu-bind=none",
                           "--chdir=/",
                           "scontrol",
                           "listpids",
                           step_name,
                           NULL};
    pid_t process;
    const int output = start(words, &process);
    if (output < 0) return false;
    const bool is_complete = read_ranks(output, runs);
    close(output);
    if (!is_complete) kill(process, SIGTERM);
    end_command(process);
    // This process itself runs. If it is not in the list, Slurm has refused the step, or does not show the processes.
    return is_complete && runs[skerry_managed.job.rank];
}

int skerry_find_absent_node(void) {
    bool *runs = calloc((size_t)skerry_managed.job.size, sizeof *runs);
    int absent = -1;
    if (runs && list_ranks(runs))
        for (int node = 0; node < skerry_managed.job.node_count && absent < 0; node++) {
            const struct skerry_manager_node *each = &skerry_managed.job.nodes[node];
            bool any = false;
            for (int i = 0; i < each->count && i < SKERRY_NETWORK_PORTS_MAX; i++) any = any || runs[each->rank[i]];
            if (!any) absent = node;
        }
    free(runs);
    return absent;
}
