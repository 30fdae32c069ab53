// SPDX-License-Identifier: BSD-3-Clause
// Macros that the assembly files of this machine share. function and function_ends give a function its type and size,
// which error reports and debuggers need.
// clang-format off
    .macro function name
    .global \name
    .type   \name, STT_FUNC
\name:
    .endm
    .macro function_ends name
    .size   \name, . - \name
    .endm
// Stores (access = strd) or loads (ldrd) r48 to r63, at the double words after the one at sp. A C function may change
// these registers and those that the user interrupt's handler saves itself (interrupt.S), and no others.
    .macro upper_registers access
    \access r48, [sp, #1]
    \access r50, [sp, #2]
    \access r52, [sp, #3]
    \access r54, [sp, #4]
    \access r56, [sp, #5]
    \access r58, [sp, #6]
    \access r60, [sp, #7]
    \access r62, [sp, #8]
    .endm
