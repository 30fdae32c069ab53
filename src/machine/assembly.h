// SPDX-License-Identifier: BSD-3-Clause
// Includes the header with the machine's assembler macros for the assembly files in src/rpc/ring. The machine's
// CMakeLists.txt defines SKERRY_ASSEMBLY_HEADER as the path of this header, relative to src/machine. The header defines
// at least these macros:
//     function NAME       begins a global function: defines its label and its type
//     function_ends NAME  ends the function: records its size, which error reports and debuggers need
#include SKERRY_ASSEMBLY_HEADER
