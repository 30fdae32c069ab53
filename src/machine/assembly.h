// SPDX-License-Identifier: BSD-3-Clause
// Includes the macros of the machine for assembly files of the layers above it: those of src/rpc/ring. Such files are
// written for one processor. The build file of the machine defines SKERRY_ASSEMBLY_HEADER, a path from this folder. The
// header defines at least these macros of the assembler:
//     function NAME       begins a global function: its label, its type
//     function_ends NAME  ends it: its size, which error reports and debuggers need
#include SKERRY_ASSEMBLY_HEADER
