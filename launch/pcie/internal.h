// SPDX-License-Identifier: BSD-3-Clause
// Declares what the files of this folder share: an I/O program that the host program has started, and the link to it.
#ifndef SKERRY_LAUNCH_PCIE_INTERNAL_H
#define SKERRY_LAUNCH_PCIE_INTERNAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "../../src/machine/contract/host_program.h"

struct io_program {
    pid_t process; // 0: none, or it has ended and was waited for
    int link;      // this program's end of the link
    int status;    // of waitpid, when the program has ended
    bool has_told; // it has written an error message before its end
    char name[64]; // for messages
};

// Finds the program and stores its path, of PATH_MAX bytes. `multibin` and `name` are the arguments of
// pcie_load_io_exec_args_mb; one of them can be NULL. Returns false if there is none.
bool skerry_io_find(char *path, const char *multibin, const char *name);

// Starts the program at `path`. `arguments` ends with NULL. `oshrun` is the path, or NULL, of the oshrun that runs a program
// for the simulated chip. Returns 0, or an error number.
int skerry_io_start(struct io_program *program, const char *path, char *const *arguments, const char *oshrun);

// Waits for the program's next message. Returns false if the program has ended without one; it was waited for then.
bool skerry_io_receive(struct io_program *program, struct skerry_link_message *message);
void skerry_io_send(const struct io_program *program, struct skerry_link_message message);

// Waits at most `seconds` for the program's end. Returns true if it has ended.
bool skerry_io_wait_for_end(struct io_program *program, int seconds);
// Kills the program, and waits for its end.
void skerry_io_stop(struct io_program *program);

#endif
