// SPDX-License-Identifier: BSD-3-Clause
// The end of a job.
#include "internal.h"

void skerry_job_exit(int status) {
    skerry_host_end_job(status);
}
