// SPDX-License-Identifier: BSD-3-Clause
// Ends the job if the program raises a signal, for example by abort().
#include "chip.h"

// Ends the job with an error message that names the signal. The C library's abort() and raise() call this function.
int _kill(int process, int signal);
int _kill(int process, int signal) {
    (void)process;
    skerry_write_line("ended by", "signal #", (long[]){signal}, 1);
    skerry_host_end_job(128 + signal);
}
