// SPDX-License-Identifier: BSD-3-Clause
// Where the f_rpc of a function with a block leads: a name of its own, so that only such functions bring what carries blocks.
#include "assembly.h"
    .section .text.skerry_call_block, "ax"
    .balign 4
    function _skerry_call_block
    b       _skerry_call_chosen
    function_ends _skerry_call_block
    .global _skerry_rpc_push_block
