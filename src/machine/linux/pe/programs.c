// SPDX-License-Identifier: BSD-3-Clause
// Starts other programs as PEs of a job that began with PE 0 alone. The job's memory file was made large enough for
// these PEs. PE 0 maps their memory and starts their programs as its child processes. For each program PE 0 has a
// thread that starts the program and waits for its end, for two reasons:
// * The kernel kills a child when the thread that started it ends (PR_SET_PDEATHSIG). So that thread must not end
//   before the child.
// * PE 0 notices at once that a program has ended, whatever PE 0's own program is doing.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "internal.h"

#define TITLE_BYTES 32
#define JOB_BYTES (256 + SKERRY_TUNING_TEXT_BYTES)
#define THREAD_STACK_BYTES (UINT64_C(256) << 10)

struct program {
    int pe;
    char title[TITLE_BYTES];
    char path[PATH_MAX];
    char **arguments;
    char **environment;
    sigset_t signal_mask;
    enum { NEVER_STARTED, STARTING, RUNNING, ENDED, NOT_STARTED } state;
    pid_t process;
    int outcome; // errno of a failed start, or the exit code
};

// The mutex protects all members. Only while `state` is STARTING, the thread that starts the program uses the other
// members without the mutex.
static struct program programs[1 + SKERRY_PROGRAMS_MAX];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int at_once_max;

// -- A program that PE 0 has started ----------------------------------------------------------------------------------

void skerry_program_begin(int parent) {
    skerry_job.programs = true;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1); // the parent ended while this program was being loaded
}

// -- Memory in common --------------------------------------------------------------------------------------------------

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

// The memories are the symmetric heaps of PE 0 and of the last PE. OpenSHMEM, which has no other use for them, cannot be used
// in a job of several programs.
void *skerry_common_memory(int number, size_t *bytes) {
    *bytes = skerry_facts.heap_bytes;
    return (char *)SKERRY_COMMON_BASE + (size_t)number * skerry_facts.heap_bytes;
}

void *skerry_programs_memory(size_t *bytes) {
    return skerry_global(skerry_heap_memory(bytes), 0);
}

void skerry_map_common(void) {
    for (int number = 0; number < SKERRY_COMMON_MEMORIES; number++) {
        const uint64_t owner = number == 0 ? 0 : SKERRY_PROGRAMS_MAX;
        size_t bytes;
        void *wanted = skerry_common_memory(number, &bytes);
        void *got = mmap(wanted, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, skerry_job.fd,
                         (off_t)(owner << SKERRY_PARTITION_SHIFT | SKERRY_HEAP_OFFSET));
        if (got != wanted)
            skerry_refuse("the memory that all programs share (%zu bytes at %p) does not fit into this program's "
                          "address space; use a smaller heap (oshrun --heap)",
                          bytes, wanted);
    }
    skerry_accept_requests(); // from here on the memory of all PEs is mapped
}

// -- Preparing the job for more programs ------------------------------------------------------------------------------

static bool file_has_room(void) {
    struct stat file;
    return fstat(skerry_job.fd, &file) == 0 &&
           (uint64_t)file.st_size >> SKERRY_PARTITION_SHIFT >= 1 + SKERRY_PROGRAMS_MAX;
}

static long processors_of_job(void) {
    const long told = skerry_whole_number("SKERRY_PROCESSORS", 0);
    cpu_set_t allowed;
    if (told) return told;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : sysconf(_SC_NPROCESSORS_ONLN);
}

// Lets this PE and the programs that it starts run on all processors of the job. The launcher has possibly pinned its
// only PE to one processor.
static void spread_over_job(void) {
    cpu_set_t of_launcher;
    if (skerry_job.launched && sched_getaffinity(getppid(), sizeof of_launcher, &of_launcher) == 0)
        sched_setaffinity(0, sizeof of_launcher, &of_launcher);
}

bool skerry_has_programs(void) {
    return skerry_job.programs;
}

bool skerry_programs_admit(int at_once) {
    if (skerry_job.programs) return skerry_facts.my_pe == 0;
    if (skerry_facts.pe_count != 1 || skerry_job.fd < 0 || !file_has_room()) return false;
    spread_over_job();
    for (int pe = 1; pe <= SKERRY_PROGRAMS_MAX; pe++) skerry_map_partition(pe);
    skerry_map_common();
    skerry_job.programs = true;
    skerry_facts.pe_count = 1 + SKERRY_PROGRAMS_MAX;
    skerry_facts.near_count = 1 + SKERRY_PROGRAMS_MAX;
    skerry_note_oversubscribed(at_once > processors_of_job());
    at_once_max = at_once;
    fflush(stdout);
    // Switches standard output to line buffering. So this program's lines appear in the right order among the lines of
    // the other programs.
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    return true;
}

// -- Threads -----------------------------------------------------------------------------------------------------------

// Starts a detached thread that gets no signals. If `mask` is not NULL, stores the signal mask of the calling thread in
// `*mask`. Returns false, with the reason in errno, if the thread cannot be started.
static bool start_thread(void *(*function)(void *), void *argument, sigset_t *mask) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (mask) *mask = before;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, THREAD_STACK_BYTES);
    pthread_t thread;
    const int error = pthread_create(&thread, &attributes, function, argument);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return error == 0;
}

static void *call_beside(void *argument) {
    void (*function)(void);
    memcpy(&function, &argument, sizeof function);
    function();
    return NULL;
}

void skerry_run_beside(void (*function)(void)) {
    void *argument;
    memcpy(&argument, &function, sizeof argument);
    if (!start_thread(call_beside, argument, NULL))
        skerry_refuse("the library cannot start a thread of its own in this PE: %s", strerror(errno));
    skerry_note_own_threads(1);
}

static int own_threads; // without those that wait for the end of programs

void skerry_note_own_threads(int change) {
    __atomic_fetch_add(&own_threads, change, __ATOMIC_RELAXED);
}

// If a thread of the library has begun but is not yet noted, or has ended but still has its entry, there seems to be one more.
bool skerry_is_only_thread(void) {
    DIR *tasks = opendir("/proc/self/task");
    if (!tasks) return false;
    int threads = 0;
    for (const struct dirent *task; (task = readdir(tasks));) threads += task->d_name[0] != '.';
    closedir(tasks);
    return threads - __atomic_load_n(&own_threads, __ATOMIC_RELAXED) <= 1;
}

// -- Waiting for the end of a program ---------------------------------------------------------------------------------

static void say(struct program *program, const char *text) {
    char line[PATH_MAX + 256];
    fflush(stdout);
    int length = snprintf(line, sizeof line, "skerry: %s (%s, process %d) %s; job stopped\n", program->title,
                          basename(program->path), (int)program->process, text);
    ssize_t wrote = write(STDERR_FILENO, line, (size_t)length);
    (void)wrote;
}

// Kills all programs and ends the job with exit code `code`. Called with the mutex held, and never releases the mutex.
// So, after this call begins, no other thread can report the end of a program or start a program.
static _Noreturn void end_job(int code) {
    for (int pe = 1; pe <= SKERRY_PROGRAMS_MAX; pe++)
        if (programs[pe].state == RUNNING) kill(programs[pe].process, SIGKILL);
    __atomic_store_n(&skerry_control_of(0)->state, SKERRY_PE_ABORTED, __ATOMIC_RELEASE);
    skerry_tell_host();
    _exit(code);
}

static void judge(struct program *program, int status) {
    const struct skerry_control *control = skerry_control_of(program->pe);
    uint32_t state = __atomic_load_n(&control->state, __ATOMIC_ACQUIRE);
    if (WIFSIGNALED(status)) {
        char text[160];
        int signal_number = WTERMSIG(status);
        int length =
            snprintf(text, sizeof text, "was killed by signal %d (%s)", signal_number, strsignal(signal_number));
        if (control->crash.signal == (uint32_t)signal_number && (signal_number == SIGSEGV || signal_number == SIGBUS))
            snprintf(text + length, sizeof text - (size_t)length, ": address %#llx",
                     (unsigned long long)control->crash.address);
        say(program, text);
        end_job(128 + signal_number);
    }
    if (state == SKERRY_PE_ABORTED) end_job(WEXITSTATUS(status)); // the program has printed the reason
    program->outcome = WEXITSTATUS(status);
}

static void note_running(int pe, bool runs) {
    uint32_t *word = &skerry_control_of(0)->programs_running;
    if (runs) __atomic_fetch_or(word, 1u << pe, __ATOMIC_RELEASE);
    else __atomic_fetch_and(word, ~(1u << pe), __ATOMIC_RELEASE);
}

static int spawn(struct program *program) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &program->signal_mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, skerry_job.fd, skerry_job.fd); // keeps the descriptor open in the child
    // Switches address randomisation off, for this thread and its child only. Without address randomisation, PEs that
    // run the same program have their data at the same place.
    personality((unsigned long)personality(0xffffffff) | ADDR_NO_RANDOMIZE);
    int failure =
        posix_spawn(&program->process, program->path, &actions, &attributes, program->arguments, program->environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failure;
}

static void (*on_end)(int pe); // the function of skerry_on_program_end

void skerry_on_program_end(void (*function)(int pe)) {
    __atomic_store_n(&on_end, function, __ATOMIC_RELEASE);
}

static void call_on_end(int pe) {
    void (*function)(int) = __atomic_load_n(&on_end, __ATOMIC_ACQUIRE);
    if (function) function(pe);
}

static void *tend(void *argument) {
    struct program *program = argument;
    int failure = spawn(program);
    pthread_mutex_lock(&mutex);
    program->state = failure ? NOT_STARTED : RUNNING;
    program->outcome = failure;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    if (failure) return NULL;
    int status = 0;
    while (waitpid(program->process, &status, 0) < 0 && errno == EINTR) {
    }
    call_on_end(program->pe);
    pthread_mutex_lock(&mutex);
    judge(program, status);
    program->state = ENDED;
    note_running(program->pe, false);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

// -- Starting a program -----------------------------------------------------------------------------------------------

static bool is_program(const char *path) {
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) && access(path, X_OK) == 0;
}

static bool found_at(char *path, const char *folder, size_t folder_bytes, const char *name) {
    int length = snprintf(path, PATH_MAX, "%.*s/%s", (int)folder_bytes, folder, name);
    return length > 0 && length < PATH_MAX && is_program(path);
}

// Finds a program and stores its path. A name with a slash is a path. A name without a slash is searched for in three
// places: the folder of PE 0's program, the working directory, and the folders of PATH. The folder of PE 0's program
// comes first, because programs that belong together are usually in one folder.
static bool find_program(char *path, const char *name) {
    if (strchr(name, '/')) {
        snprintf(path, PATH_MAX, "%s", name);
        return is_program(path);
    }
    char own[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    if (length > 0) {
        own[length] = 0;
        const char *folder = dirname(own);
        if (found_at(path, folder, strlen(folder), name)) return true;
    }
    if (found_at(path, ".", 1, name)) return true;
    for (const char *folders = getenv("PATH"); folders && *folders;) {
        size_t bytes = strcspn(folders, ":");
        if (bytes > 0 && found_at(path, folders, bytes, name)) return true;
        folders += bytes + (folders[bytes] == ':');
    }
    return false;
}

static size_t count_of(const char *const *list) {
    size_t count = 0;
    while (list && list[count]) count++;
    return count;
}

// Returns the environment of a program: the variables in `environment`, and at the end SKERRY_JOB, the variable that
// makes the program a PE. If `environment` is NULL, the variables of PE 0 are used. The caller frees the list and its
// last string.
static char **make_environment(int pe, const char *const *environment) {
    const char *const *base = environment ? environment : (const char *const *)environ;
    size_t count = count_of(base);
    char **list = calloc(count + 2, sizeof *list);
    char *job = malloc(JOB_BYTES), tuning[SKERRY_TUNING_TEXT_BYTES];
    if (!list || !job) skerry_refuse("no memory to start a program");
    memcpy(list, base, count * sizeof *list);
    skerry_format_tuning(&skerry_tuning, tuning);
    snprintf(job, JOB_BYTES,
             "%s=fd=%d,pe=%d,pes=%d,heap=%llu,cpus=%ld,bound=0,job=%ld%s,kill_at=%llu,programs=%d,parent=%d,tuning=%s",
             SKERRY_JOB_VARIABLE, skerry_job.fd, pe, 1 + SKERRY_PROGRAMS_MAX,
             (unsigned long long)skerry_facts.heap_bytes, processors_of_job(), skerry_job.id,
             skerry_job.huge ? ",huge=1" : "", (unsigned long long)skerry_job.kill_at, at_once_max, (int)getpid(),
             tuning);
    list[count] = job;
    return list;
}

// Clears the data that an earlier program left in the partition (the memory) of PE `pe`. Keeps the table memory,
// because tables of other PEs possibly refer to objects in it.
static void clear_partition(int pe) {
    if (fallocate(skerry_job.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)pe << SKERRY_PARTITION_SHIFT,
                  (off_t)SKERRY_TABLE_OFFSET) != 0)
        skerry_refuse("PE %d cannot run another program: the memory of its last program could not be cleared: %s", pe,
                      strerror(errno));
}

static void say_not_started(const char *title, const char *name, const char *reason) {
    fflush(stdout);
    fprintf(stderr, "skerry: PE %d: cannot start %s for %s: %s\n", skerry_facts.my_pe, name, title, reason);
}

// Starts the program and waits until it runs or has failed to start. Called with the mutex held.
static bool start_and_wait(struct program *program, const char *name) {
    program->state = STARTING;
    note_running(program->pe, true);
    if (!start_thread(tend, program, &program->signal_mask)) {
        program->state = NOT_STARTED;
        program->outcome = errno;
    }
    while (program->state == STARTING) pthread_cond_wait(&changed, &mutex);
    if (program->state != NOT_STARTED) return true;
    note_running(program->pe, false);
    say_not_started(program->title, name, strerror(program->outcome));
    return false;
}

bool skerry_program_start(int pe, const char *title, const char *name, const char *const *arguments,
                          const char *const *environment) {
    struct program *program = &programs[pe];
    pthread_mutex_lock(&mutex);
    bool runs = program->state == STARTING || program->state == RUNNING;
    bool started = false;
    if (runs) {
        say_not_started(title, name, "the program that was started there before still runs");
    } else if (!find_program(program->path, name)) {
        say_not_started(title, name,
                        strchr(name, '/')
                            ? "there is no such program"
                            : "there is no such program in this program's folder, in the working directory or in PATH");
    } else {
        if (program->state != NEVER_STARTED) clear_partition(pe);
        program->pe = pe;
        snprintf(program->title, sizeof program->title, "%s", title);
        program->arguments = (char **)(uintptr_t)arguments;
        program->environment = make_environment(pe, environment);
        started = start_and_wait(program, name);
        free(program->environment[count_of((const char *const *)program->environment) - 1]);
        free(program->environment);
    }
    pthread_mutex_unlock(&mutex);
    return started;
}

bool skerry_program_runs(int pe) {
    pthread_mutex_lock(&mutex);
    bool runs = programs[pe].state == STARTING || programs[pe].state == RUNNING;
    pthread_mutex_unlock(&mutex);
    return runs;
}

uint32_t skerry_programs_running(void) {
    return __atomic_load_n(&skerry_control_of(0)->programs_running, __ATOMIC_ACQUIRE);
}

int skerry_program_wait(int pe) {
    struct program *program = &programs[pe];
    pthread_mutex_lock(&mutex);
    while (program->state == STARTING || program->state == RUNNING) pthread_cond_wait(&changed, &mutex);
    int code = program->state == ENDED ? program->outcome : -1;
    pthread_mutex_unlock(&mutex);
    return code;
}
