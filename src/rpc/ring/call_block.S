// SPDX-License-Identifier: BSD-3-Clause
// The thunk f_rpc of a function with a block of data jumps here. This entry has a symbol of its own, so that the
// linker adds the code for blocks (block.c) only to programs with such functions.
#include "../../machine/assembly.h"
    .section .text.skerry_call_block, "ax"
    .balign 4
    function _skerry_call_block
    b       _skerry_call_chosen
    function_ends _skerry_call_block
    .global _skerry_rpc_push_block
