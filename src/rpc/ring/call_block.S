// SPDX-License-Identifier: BSD-3-Clause
// The thunk f_rpc (the program's code for a call of f) jumps here if f takes a block of data. Only programs with such
// functions refer to this entry. By its symbol the linker adds the code for blocks (block.c) to these programs only.
#include "../../machine/assembly.h"
    .section .text.skerry_call_block, "ax"
    .balign 4
    function _skerry_call_block
    b       _skerry_call_chosen
    function_ends _skerry_call_block
    .global _skerry_rpc_push_block
