// SPDX-License-Identifier: BSD-3-Clause
// Ends the job with an error message about an active set that is invalid or that does not contain this PE.
#include "team_internal.h"

void skerry_refuse_set(const char *routine, int start, int log_stride, int size) {
    int pes = skerry_pe_count();
    long last = start + (long)(size - 1) * (1L << (log_stride & 31));
    if (start < 0 || log_stride < 0 || log_stride > 30 || size < 1 || last >= pes)
        skerry_fail_values(routine,
                           "PE_size #, PE_start #, logPE_stride #: the active set must be inside the job's # PEs",
                           (long[]){size, start, log_stride, pes}, 4);
    skerry_fail_values(routine, "this PE is not in the active set PE_size #, PE_start #, logPE_stride #",
                       (long[]){size, start, log_stride}, 3);
}
