// SPDX-License-Identifier: BSD-3-Clause
// What the assembly of this machine shares. Functions as errors, reports and debuggers want to know them: with a kind and a size.
    .macro function name
    .global \name
    .type   \name, STT_FUNC
\name:
    .endm
    .macro function_ends name
    .size   \name, . - \name
    .endm
// strd or ldrd: r48 to r63, behind the double word at sp. With what the user interrupt's handler saves itself (interrupt.S), that is
// all that a function may change.
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
