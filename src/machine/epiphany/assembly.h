// SPDX-License-Identifier: BSD-3-Clause
// Defines macros that the assembly files of this machine share. The macros `function` and `function_ends` give a
// function its type and size, which error reports and debuggers need.
// clang-format off
    .macro function name
    .global \name
    .type   \name, STT_FUNC
\name:
    .endm
    .macro function_ends name
    .size   \name, . - \name
    .endm
// Saves registers r48 to r63 on the stack (access = strd, a store), or restores them (access = ldrd, a load). The
// registers lie above the double word at sp, which stays free. The handler of the user interrupt (interrupt.S) uses
// this macro. Other instructions of the handler save all other registers that a C function is allowed to change.
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
