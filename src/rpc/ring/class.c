// SPDX-License-Identifier: BSD-3-Clause
// Sets the class of calls on a chip, whose calls travel through rings: queues in the memory of the called core. The
// function has a file of its own: only programs that contain this file are linked with a ring for each class.
#include "ring.h"

#include <shmemx.h>

int skerry_rpc_choose_class(int class);

int shmemx_rpc_class(int class) {
    SKERRY_NEEDS_SYMBOL("skerry_rpc_push_class");
    if (class < SHMEMX_RPC_URGENT || class > SHMEMX_RPC_BACKGROUND)
        skerry_fail_values(__func__,
                           "class #: must be SHMEMX_RPC_URGENT (0), SHMEMX_RPC_NORMAL (1) or SHMEMX_RPC_BACKGROUND (2)",
                           (long[]){class}, 1);
    return skerry_rpc_choose_class(class);
}
