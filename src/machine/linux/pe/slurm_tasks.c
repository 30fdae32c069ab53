// SPDX-License-Identifier: BSD-3-Clause
// Finds a node of this job on which no process runs any more, in a job that Slurm's srun has started. The reason can be
// that the program, or a library that it needs, is missing on that node. Slurm lets the other processes go on, and PMIx
// does not report such an end. So shmem_init would wait until its time limit.
//
// One process of the job asks Slurm, only after shmem_init has waited for some seconds (start_watch.c). It starts a step on the nodes of
// the job: `scontrol listpids` prints there the ranks of the processes that run, and each node prints its name after them.
// A node that prints no name has not answered, for example because it is cut off, and does not count as absent. A node
// starts this step only after its prolog, so a node that is slow to start does not count as absent if the caller
// asks twice.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "managed_internal.h"
#include "node_ring.h"

#define ANSWER_SECONDS 10
#define CANCEL_MILLISECONDS 10000
#define END_MILLISECONDS 500 // for the command to end after SIGTERM
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

// Runs in the child process, which shares the memory of its parent until it executes the command: it only makes system
// calls. The kernel kills the child if the calling thread ends before.
_Noreturn static void become_command(char *const words[], char **environment, int output, pid_t parent) {
    struct sigaction usual = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    dup2(nothing, STDERR_FILENO);
    execvpe(words[0], words, environment);
    _exit(1);
}

// Creates the child process. Is not inlined, because vfork returns twice to the same variables.
__attribute__((noinline)) static pid_t create(char *const words[], char **environment, int output) {
    const pid_t parent = getpid(), child = vfork();
    if (child == 0) become_command(words, environment, output, parent);
    return child;
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
    // No handler of this process must run in the child before it has reset the handlers.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    *process = create(words, environment, output[1]);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    free(environment);
    close(output[1]);
    fcntl(output[0], F_SETFL, O_NONBLOCK);
    if (*process > 0) return output[0];
    close(output[0]);
    return -1;
}

// The question that is open. Only the thread that watches uses it.
static struct {
    pid_t process; // 0: none
    int output;
    double end;
    size_t used; // bytes of `line`
    char line[LINE_BYTES];
    bool *runs;     // for each rank: its process runs
    bool *has_told; // for each node: it has answered
} question;

// Notes the rank in a line of `scontrol listpids`: "PID JOBID STEPID LOCALID GLOBALID". The rank of a process that is no
// task of the step is no number. Other lines are names of nodes.
static void note_line(const char *line) {
    int rank = -1;
    if (sscanf(line, "%*d %*s %*s %*s %d", &rank) == 1 && rank >= 0 && rank < skerry_managed.job.size)
        question.runs[rank] = true;
    for (int node = 0; node < skerry_managed.job.node_count; node++) // names in the table can be cut
        if (strncmp(line, skerry_managed.job.nodes[node].name, SKERRY_MANAGER_NAME_BYTES - 1) == 0)
            question.has_told[node] = true;
}

// Reads what has arrived of the command's output, and notes what it says. Returns true at the end of the output.
static bool read_output(void) {
    char bytes[1024];
    for (;;) {
        const ssize_t length = read(question.output, bytes, sizeof bytes);
        if (length <= 0) return length == 0 || (errno != EAGAIN && errno != EINTR);
        for (ssize_t i = 0; i < length; i++) {
            if (bytes[i] != '\n') {
                if (question.used + 1 < sizeof question.line) question.line[question.used++] = bytes[i];
                continue;
            }
            question.line[question.used] = 0;
            question.used = 0;
            note_line(question.line);
        }
    }
}

// Returns true if srun has started this process as a task of this step. mpirun, for example, starts its daemons as tasks of a
// step; the ranks that Slurm knows are then those of the daemons.
static bool is_own_step(const char *job, const char *step) {
    const char *name = getenv("PMIX_NAMESPACE");
    char own[256];
    snprintf(own, sizeof own, "slurm.pmix.%s.%s", job, step);
    return name && strcmp(name, own) == 0;
}

bool skerry_begin_slurm_question(double now) {
    const char *job = getenv("SLURM_JOB_ID"), *step = getenv("SLURM_STEP_ID"), *nodes = getenv("SLURM_STEP_NODELIST");
    if (!job || !step || !nodes || getenv("SLURM_HET_SIZE") || !is_own_step(job, step)) return false;
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
                           "sh",
                           "-c",
                           "scontrol listpids \"$0\"; echo \"$SLURMD_NODENAME\"",
                           step_name,
                           NULL};
    question.runs = calloc((size_t)skerry_managed.job.size, sizeof *question.runs);
    question.has_told = calloc((size_t)skerry_managed.job.node_count, sizeof *question.has_told);
    question.used = 0;
    question.end = now + ANSWER_SECONDS;
    question.output = question.runs && question.has_told ? start(words, &question.process) : -1;
    if (question.output >= 0) return true;
    free(question.runs);
    free(question.has_told);
    return false;
}

// Ends the command, which has no use any more. srun ends its step if it gets SIGTERM. But it can also wait for a node that it
// does not reach.
void skerry_end_slurm_question(void) {
    if (!question.process) return;
    close(question.output);
    kill(question.process, SIGTERM);
    for (int i = 0; waitpid(question.process, NULL, WNOHANG) == 0; i++) {
        if (i == END_MILLISECONDS / 10) kill(question.process, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    }
    free(question.runs);
    free(question.has_told);
    question.process = 0;
}

bool skerry_end_slurm_step(void) {
    const char *job = getenv("SLURM_JOB_ID"), *step = getenv("SLURM_STEP_ID");
    if (!job || !step || !is_own_step(job, step)) return false;
    char step_name[64];
    snprintf(step_name, sizeof step_name, "%s.%s", job, step);
    char *const words[] = {"scancel", "--quiet", "--ctld", "--signal=KILL", step_name, NULL};
    pid_t process, ended = 0;
    int status = -1;
    const int output = start(words, &process);
    if (output < 0) return false;
    for (int i = 0; i < CANCEL_MILLISECONDS / 10 && ended == 0; i++) {
        ended = waitpid(process, &status, WNOHANG);
        if (ended == 0) nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
    }
    close(output);
    return ended == process && status == 0;
}

// A node that has not answered does not count as absent.
static int find_absent_node(void) {
    for (int node = 0; node < skerry_managed.job.node_count; node++) {
        const struct skerry_manager_node *each = &skerry_managed.job.nodes[node];
        bool any = !question.has_told[node];
        for (int i = 0; i < each->count && i < SKERRY_NETWORK_PORTS_MAX; i++) any = any || question.runs[each->rank[i]];
        if (!any) return node;
    }
    return -1;
}

enum skerry_slurm_answer skerry_step_slurm_question(double now, int *absent) {
    *absent = -1;
    const bool is_complete = read_output();
    if (!is_complete && now < question.end) return SKERRY_SLURM_ASKED;
    enum skerry_slurm_answer answer = SKERRY_SLURM_SILENT;
    // This process itself runs. If it is not in the list, Slurm has refused the step, or does not show the processes.
    if (question.runs[skerry_managed.job.rank]) {
        *absent = find_absent_node();
        answer = SKERRY_SLURM_ANSWERS;
        for (int node = 0; node < skerry_managed.job.node_count; node++)
            if (!question.has_told[node]) answer = SKERRY_SLURM_ANSWERS_FOR_SOME;
    }
    skerry_end_slurm_question();
    return answer;
}
