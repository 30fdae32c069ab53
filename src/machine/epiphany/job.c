// SPDX-License-Identifier: BSD-3-Clause
// The ends of a job, and what its user has set.
#include "internal.h"

void skerry_job_exit(int status) {
    skerry_host_end_job(status);
}

// The value of NAME=VALUE among the variables, read where they lie.
static const char *variable(const char *name) {
    for (char **each = skerry_job.environ; each && *each; each++) {
        const char *text = *each;
        const char *wanted = name;
        while (*wanted && *text == *wanted) text++, wanted++;
        if (!*wanted && *text == '=') return text + 1;
    }
    return 0;
}

long skerry_setting(const char *name, long otherwise) {
    const char *text = variable(name);
    if (!text || !*text) return otherwise;
    long value = 0;
    for (; *text >= '0' && *text <= '9'; text++) value = (value << 3) + (value << 1) + (*text - '0');
    return *text ? 1 : value;
}
