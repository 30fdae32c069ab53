// SPDX-License-Identifier: BSD-3-Clause
// Ends the job if the program requests it, for example by shmem_global_exit.
#include "chip.h"

void skerry_job_exit(int status) {
    skerry_host_end_job(status);
}
