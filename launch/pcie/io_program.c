// SPDX-License-Identifier: BSD-3-Clause
// Finds, starts and waits for an I/O program. It is a child process of the host program: the program itself on Linux, or
// oshrun, which becomes skerry-sim. Each of the two processes sees the other's end by the link.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../src/machine/linux/job.h"
#include "internal.h"

// LOOK_MILLISECONDS: time between two looks if a program has ended that has left its end of the link to another process.
// CLOSED_SECONDS: longest time from the end of a program's link to the program's end.
enum { LOOK_MILLISECONDS = 50, CLOSED_SECONDS = 5 };

// -- Finding -----------------------------------------------------------------------------------------------------------

static bool is_program(const char *path) {
    struct stat file;
    return stat(path, &file) == 0 && S_ISREG(file.st_mode) && access(path, X_OK) == 0;
}

static bool is_in(char *path, const char *folder, size_t folder_bytes, const char *name) {
    const int length = snprintf(path, PATH_MAX, "%.*s/%s", (int)folder_bytes, folder, name);
    return length > 0 && length < PATH_MAX && is_program(path);
}

// Searches in the folder of `file`.
static bool is_beside(char *path, const char *file, const char *name) {
    char copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", file);
    const char *folder = dirname(copy);
    return is_in(path, folder, strlen(folder), name);
}

static bool is_in_path(char *path, const char *name) {
    for (const char *folders = getenv("PATH"); folders && *folders;) {
        const size_t bytes = strcspn(folders, ":");
        if (bytes > 0 && is_in(path, folders, bytes, name)) return true;
        folders += bytes + (folders[bytes] == ':');
    }
    return false;
}

bool skerry_io_find(char *path, const char *multibin, const char *name) {
    if (!name) name = multibin, multibin = NULL;
    if (!name) return false;
    if (strchr(name, '/')) {
        snprintf(path, PATH_MAX, "%s", name);
        return is_program(path);
    }
    char own[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", own, sizeof own - 1);
    own[length > 0 ? length : 0] = 0;
    return (multibin && is_beside(path, multibin, name)) || is_beside(path, own, name) || is_in(path, ".", 1, name) ||
           is_in_path(path, name);
}

// -- Starting ----------------------------------------------------------------------------------------------------------

// Returns true if the program is for a simulated chip.
static bool is_for_chip(const char *path) {
    Elf32_Ehdr header = {.e_machine = EM_NONE};
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool is_elf =
        read(file, &header, sizeof header) == (ssize_t)sizeof header && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
    close(file);
    return is_elf && header.e_ident[EI_CLASS] == ELFCLASS32 && header.e_machine == EM_RISCV;
}

// Returns true for a variable that oshrun has set for the host program: the I/O program is a job of its own.
static bool is_of_other_job(const char *variable) {
    static const char *const names[] = {"SKERRY_JOB=", "SKERRY_PE=", "SKERRY_PES=", "SKERRY_HOST_LINK="};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(variable, names[i], strlen(names[i])) == 0) return true;
    return false;
}

// Returns the environment of the I/O program: this program's, with the variable `link` at the end. The caller frees it.
static char **make_environment(char *link) {
    size_t count = 0, kept = 0;
    while (environ[count]) count++;
    char **list = calloc(count + 2, sizeof *list);
    if (!list) return NULL;
    for (size_t i = 0; i < count; i++)
        if (!is_of_other_job(environ[i])) list[kept++] = environ[i];
    list[kept] = link;
    return list;
}

// Starts `path` as a child process that has the descriptor `link` of the other end of the link.
static int spawn(struct io_program *program, const char *path, char *const *arguments, int link) {
    char variable[64];
    snprintf(variable, sizeof variable, "%s=%d,%d", SKERRY_HOST_LINK_VARIABLE, link, (int)getpid());
    char **environment = make_environment(variable);
    if (!environment) return ENOMEM;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, link, link); // keeps the descriptor open in the child
    fflush(stdout);                                         // what this program has printed comes first
    const int failure = posix_spawnp(&program->process, path, &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return failure;
}

// Starts oshrun with the program and its arguments. The simulator passes the program's path as the first argument.
static int spawn_simulator(struct io_program *program, const char *path, char *const *arguments, const char *oshrun,
                           int link) {
    static const char *const command[] = {"oshrun", "--machine", "mppa", "--quiet"};
    const size_t words = sizeof command / sizeof *command;
    size_t count = 0;
    while (arguments[count]) count++;
    const char **list = calloc(words + 1 + count + 1, sizeof *list);
    if (!list) return ENOMEM;
    memcpy(list, command, sizeof command);
    list[words] = path;
    for (size_t i = 1; i < count; i++) list[words + i] = arguments[i];
    const int failure = spawn(program, oshrun && is_program(oshrun) ? oshrun : "oshrun", (char *const *)list, link);
    free(list);
    return failure;
}

int skerry_io_start(struct io_program *program, const char *path, char *const *arguments, const char *oshrun) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return errno;
    const char *slash = strrchr(path, '/');
    snprintf(program->name, sizeof program->name, "%s", slash ? slash + 1 : path);
    program->has_told = false;
    const int failure = is_for_chip(path) ? spawn_simulator(program, path, arguments, oshrun, ends[1])
                                          : spawn(program, path, arguments, ends[1]);
    close(ends[1]);
    program->link = ends[0];
    if (failure) {
        close(ends[0]);
        program->process = 0;
    }
    return failure;
}

// -- Waiting -----------------------------------------------------------------------------------------------------------

// Returns true if the program has ended. A program that ignores SIGCHLD cannot know how.
static bool has_ended(struct io_program *program) {
    pid_t got;
    do got = waitpid(program->process, &program->status, WNOHANG);
    while (got < 0 && errno == EINTR);
    if (got == 0) return false;
    if (got < 0) program->status = 0;
    program->process = 0;
    return true;
}

// Receives a message that has arrived, or waits for one for LOOK_MILLISECONDS. Returns 1 for a message, 0 if the other end
// is closed, and -1 if there is none yet.
static int take_message(const struct io_program *program, struct skerry_link_message *message, int milliseconds) {
    struct pollfd link = {.fd = program->link, .events = POLLIN};
    if (poll(&link, 1, milliseconds) <= 0) return -1;
    const ssize_t got = recv(program->link, message, sizeof *message, MSG_DONTWAIT);
    // ECONNRESET comes once, if the program has ended without reading this program's last message. Messages follow.
    if (got < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNRESET)) return -1;
    return got == (ssize_t)sizeof *message;
}

// Receives messages until one is not SKERRY_LINK_TOLD.
static int take_other_message(struct io_program *program, struct skerry_link_message *message, int milliseconds) {
    for (;;) {
        int got = take_message(program, message, milliseconds);
        if (got < 0 && !program->process) got = take_message(program, message, 0); // after ECONNRESET
        if (got != 1 || message->kind != SKERRY_LINK_TOLD) return got;
        program->has_told = true;
    }
}

bool skerry_io_receive(struct io_program *program, struct skerry_link_message *message) {
    while (program->process) {
        const int got = take_other_message(program, message, LOOK_MILLISECONDS);
        if (got == 1) return true;
        if (got == 0) skerry_io_wait_for_end(program, CLOSED_SECONDS);
        if (got == 0 && program->process) skerry_io_stop(program);
        if (program->process) has_ended(program);
    }
    return take_other_message(program, message, 0) == 1; // sent right before its end
}

void skerry_io_send(const struct io_program *program, struct skerry_link_message message) {
    // Fails only if the program has ended, which the next wait for a message finds.
    while (send(program->link, &message, sizeof message, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

bool skerry_io_wait_for_end(struct io_program *program, int seconds) {
    const struct timespec pause = {.tv_nsec = 2000000};
    struct timespec now, end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += seconds;
    do {
        if (!program->process || has_ended(program)) {
            struct skerry_link_message message;
            take_other_message(program, &message, 0); // whether it has told a reason
            return true;
        }
        nanosleep(&pause, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec));
    return false;
}

void skerry_io_stop(struct io_program *program) {
    if (!program->process) return;
    kill(program->process, SIGKILL); // its clusters end with it, and it leaves nothing
    while (!skerry_io_wait_for_end(program, 1)) {
    }
}
