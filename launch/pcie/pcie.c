// SPDX-License-Identifier: BSD-3-Clause
// Implements the names of <pcie.h> for host programs. A host program is an ordinary program, and no PE.
#define _GNU_SOURCE
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pcie.h>

#include "internal.h"

enum { DEVICES = 8 };

// END_SECONDS: longest time that pcie_queue_exit waits for the end of the I/O program. LEAVE_SECONDS: the same for a host
// program that does not wait by pcie_queue_exit. Such an I/O program has possibly just called pcie_queue_exit.
enum { END_SECONDS = 10, LEAVE_SECONDS = 1 };

static struct device {
    bool is_open;
    bool is_loaded; // an I/O program was started, and pcie_queue_exit has not returned since
    struct io_program program;
} devices[DEVICES];

const char *skerry_pcie_oshrun;

// -- Messages ----------------------------------------------------------------------------------------------------------

// Writes the line "skerry: ROUTINE: text" with one system call.
__attribute__((format(printf, 2, 3))) static void say(const char *routine, const char *format, ...) {
    char line[PATH_MAX + 256], text[PATH_MAX + 128];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    fflush(stdout);
    const int length = snprintf(line, sizeof line, "skerry: %s: %s\n", routine, text);
    if (write(STDERR_FILENO, line, (size_t)length) < 0) return;
}

static _Noreturn void end(int code) {
    fflush(stdout);
    _exit(code);
}

// Returns the device of a descriptor, or ends the program.
static struct device *device_of(const char *routine, mppadesc_t fd) {
    if (fd >= 1 && fd <= DEVICES && devices[fd - 1].is_open) return &devices[fd - 1];
    say(routine, "fd %lld: must be a descriptor that pcie_open_device has returned", fd);
    end(1);
}

static struct device *loaded_device_of(const char *routine, mppadesc_t fd) {
    struct device *device = device_of(routine, fd);
    if (device->is_loaded) return device;
    say(routine, "no I/O program was started on this device, or it has ended");
    end(1);
}

// Ends the program if the I/O program has ended in a way that is a failure of its own. It has then ended with an error
// message, or a signal has killed it.
static void end_if_killed(const char *routine, const struct io_program *program) {
    if (WIFSIGNALED(program->status)) {
        const int signal_number = WTERMSIG(program->status);
        say(routine, "the I/O program (%s) was killed by signal %d (%s)", program->name, signal_number,
            strsignal(signal_number));
        end(128 + signal_number);
    }
    if (program->has_told) end(WEXITSTATUS(program->status) ? WEXITSTATUS(program->status) : 1);
}

// -- Devices -----------------------------------------------------------------------------------------------------------

static void unload(const char *routine, struct device *device) {
    struct io_program *program = &device->program;
    if (!device->is_loaded) return;
    if (program->process && !skerry_io_wait_for_end(program, LEAVE_SECONDS)) {
        say(routine, "the I/O program (%s, process %d) still runs: it is stopped now", program->name,
            (int)program->process);
        skerry_io_stop(program);
    }
    close(program->link);
    device->is_loaded = false;
}

static void unload_all(void) {
    for (int i = 0; i < DEVICES; i++) unload("end of the host program", &devices[i]);
}

mppadesc_t(pcie_open_device)(int number) {
    if (number < 0 || number >= DEVICES || devices[number].is_open) return 0;
    static bool is_watched;
    if (!is_watched) is_watched = atexit(unload_all) == 0;
    devices[number].is_open = true;
    return number + 1;
}

int pcie_close(mppadesc_t fd) {
    struct device *device = device_of(__func__, fd);
    unload(__func__, device);
    device->is_open = false;
    return 0;
}

// -- The I/O program ---------------------------------------------------------------------------------------------------

static int load(const char *routine, mppadesc_t fd, const char *multibin, const char *name,
                const char *const *arguments, int count) {
    struct device *device = device_of(routine, fd);
    const char *const shown = name ? name : multibin ? multibin : "NULL";
    char path[PATH_MAX];
    if (device->is_loaded && !skerry_io_wait_for_end(&device->program, 0)) {
        say(routine, "cannot start %s: the I/O program that was started on this device before still runs", shown);
        return -1;
    }
    unload(routine, device);
    if (!skerry_io_find(path, multibin, name)) {
        say(routine, "cannot start %s: there is no such program%s", shown,
            strchr(shown, '/') ? ""
                               : " beside the multibinary, beside this program, in the working directory or in PATH");
        return -1;
    }
    const bool has_arguments = arguments && count > 0;
    char **list = calloc((size_t)(has_arguments ? count : 1) + 1, sizeof *list);
    if (!list) return -1;
    list[0] = (char *)(uintptr_t)shown;
    for (int i = 0; has_arguments && i < count; i++) list[i] = (char *)(uintptr_t)arguments[i];
    const int failure = skerry_io_start(&device->program, path, list, skerry_pcie_oshrun);
    free(list);
    if (failure) say(routine, "cannot start %s: %s", path, strerror(failure));
    device->is_loaded = !failure;
    return failure ? -1 : 0;
}

int(pcie_load_io_exec_args_mb)(mppadesc_t fd, const char *multibin, const char *program, const char *const *arguments,
                               int count, int flags) {
    (void)flags;
    return load("pcie_load_io_exec_args_mb", fd, multibin, program, arguments, count);
}

int pcie_load_io_exec_mb(mppadesc_t fd, const char *multibin, const char *program, int flags) {
    (void)flags;
    return load(__func__, fd, multibin, program, NULL, 0);
}

int pcie_load_io_exec(mppadesc_t fd, const char *program) {
    return load(__func__, fd, NULL, program, NULL, 0);
}

int pcie_queue_init(mppadesc_t fd) {
    loaded_device_of(__func__, fd);
    return 0;
}

int pcie_register_console(mppadesc_t fd, FILE *input, FILE *output) {
    loaded_device_of(__func__, fd);
    return input == stdin && output == stdout ? 0 : -1;
}

int pcie_unregister_console(mppadesc_t fd) {
    loaded_device_of(__func__, fd);
    return 0;
}

int pcie_queue_barrier(mppadesc_t fd, int number, int *status) {
    struct io_program *program = &loaded_device_of(__func__, fd)->program;
    struct skerry_link_message message = {.kind = SKERRY_LINK_BARRIER, .value = number};
    fflush(stdout); // what this program has printed before the barrier comes before what the other one prints after it
    skerry_io_send(program, message);
    if (!skerry_io_receive(program, &message)) {
        end_if_killed(__func__, program);
        const int code = WEXITSTATUS(program->status);
        say(__func__, "the I/O program (%s) has ended with exit code %d before it called this routine", program->name,
            code);
        end(code ? code : 1);
    }
    if (message.kind != SKERRY_LINK_BARRIER) {
        say(__func__, "the I/O program (%s) does not call this routine: it has called pcie_queue_exit", program->name);
        skerry_io_stop(program);
        end(1);
    }
    if (status) *status = message.value;
    return 0;
}

int pcie_queue_exit(mppadesc_t fd, int code, int *status) {
    struct device *device = loaded_device_of(__func__, fd);
    struct io_program *program = &device->program;
    struct skerry_link_message message = {.kind = SKERRY_LINK_EXIT, .value = code};
    fflush(stdout);
    skerry_io_send(program, message);
    // An I/O program that waits in a barrier now ends with an error message.
    bool has_message;
    do has_message = skerry_io_receive(program, &message);
    while (has_message && message.kind != SKERRY_LINK_EXIT);
    if (!skerry_io_wait_for_end(program, END_SECONDS)) {
        say(__func__, "the I/O program (%s, process %d) has called this routine, but did not end within %d seconds",
            program->name, (int)program->process, END_SECONDS);
        skerry_io_stop(program);
        end(1);
    }
    end_if_killed(__func__, program);
    const int exit_code = WEXITSTATUS(program->status);
    if (status) *status = has_message && message.value ? message.value : exit_code;
    close(program->link);
    device->is_loaded = false;
    return 0;
}
