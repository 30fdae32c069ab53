// SPDX-License-Identifier: BSD-3-Clause
// Ends this core's program after main has returned.
#include <sys/reent.h>

#include "chip.h"

// skerry_host_leave does the two steps of exit(): it calls the functions that are registered for exit, and flushes the
// C library's open files. It does a step only if the program contains the code for this step. A call of exit() itself
// would link the code for both steps into every program.
extern void __call_exitprocs(int status, void *handle) __attribute__((weak));
#pragma weak _global_impure_ptr

void skerry_host_leave(int status) {
    if (__call_exitprocs) __call_exitprocs(status, 0);
    if (&_global_impure_ptr && _global_impure_ptr->__cleanup) _global_impure_ptr->__cleanup(_global_impure_ptr);
    skerry_host_exit(status);
}
