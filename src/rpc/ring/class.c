// SPDX-License-Identifier: BSD-3-Clause
// Sets the class of calls on a machine that carries calls itself (a chip). This is a separate file, because a program
// that uses it is linked with additional rings (queues of calls) for the classes.
#include "ring.h"

#include <shmemx.h>

int skerry_rpc_choose_class(int class);

int shmemx_rpc_class(int class) {
    SKERRY_NEEDS_SYMBOL("_skerry_rpc_push_class");
    if (class < SHMEMX_RPC_URGENT || class > SHMEMX_RPC_BACKGROUND)
        skerry_fail_values(__func__,
                           "class #: must be SHMEMX_RPC_URGENT (0), SHMEMX_RPC_NORMAL (1) or SHMEMX_RPC_BACKGROUND (2)",
                           (long[]){class}, 1);
    return skerry_rpc_choose_class(class);
}
