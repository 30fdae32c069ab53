// SPDX-License-Identifier: BSD-3-Clause
// Ending a job by the program's request.
#include "internal.h"

void skerry_job_exit(int status) {
    skerry_host_end_job(status);
}
