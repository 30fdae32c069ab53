// SPDX-License-Identifier: BSD-3-Clause
// Includes the header with the machine's macros for the assembly files in src/rpc/ring. The build file of the machine
// defines SKERRY_ASSEMBLY_HEADER as the path of this header, relative to src/machine. The header defines at least these
// macros of the assembler:
//     function NAME       begins a global function: defines its label and its type
//     function_ends NAME  ends the function: records its size, which error reports and debuggers need
#include SKERRY_ASSEMBLY_HEADER
