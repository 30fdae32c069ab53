// SPDX-License-Identifier: BSD-3-Clause
// Lists the atomic operations that a machine with far PEs sends to the node of the word. The numbers are part of its
// messages, so they are the same on all nodes.
#ifndef SKERRY_MACHINE_DEFAULTS_FAR_OPERATION_H
#define SKERRY_MACHINE_DEFAULTS_FAR_OPERATION_H

// LOAD to FETCH_XOR return the old value. The others return nothing, and can complete as late as the next quiet.
enum skerry_far_operation {
    SKERRY_FAR_LOAD,
    SKERRY_FAR_SWAP,
    SKERRY_FAR_COMPARE_SWAP,
    SKERRY_FAR_FETCH_ADD,
    SKERRY_FAR_FETCH_AND,
    SKERRY_FAR_FETCH_OR,
    SKERRY_FAR_FETCH_XOR,
    SKERRY_FAR_STORE,
    SKERRY_FAR_ADD,
    SKERRY_FAR_AND,
    SKERRY_FAR_OR,
    SKERRY_FAR_XOR
};

#endif
