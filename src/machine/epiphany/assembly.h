// SPDX-License-Identifier: BSD-3-Clause
// Functions in assembly, as errors, reports and debuggers want to know them: with a kind and a size.
    .macro function name
    .global \name
    .type   \name, STT_FUNC
\name:
    .endm
    .macro function_ends name
    .size   \name, . - \name
    .endm
