// SPDX-License-Identifier: BSD-3-Clause
// Links the code with which newlib's printf and scanf print and read floating-point numbers. newlib leaves it out unless
// a program refers to it, because it takes 10 KB. oshcc includes this file if a source has a format that needs the code
// (bare.sh). The linker removes the word below, and also the code if the program calls neither printf nor scanf.
#ifndef __ASSEMBLER__
#define SKERRY_FLOAT_FORMATS_TEXT_(name) #name
#define SKERRY_FLOAT_FORMATS_TEXT(name) SKERRY_FLOAT_FORMATS_TEXT_(name)
#define SKERRY_FLOAT_FORMATS_PREFIX SKERRY_FLOAT_FORMATS_TEXT(__USER_LABEL_PREFIX__)
__asm__(".pushsection .rodata.skerry_float_formats,\"a\"\n"
        ".word " SKERRY_FLOAT_FORMATS_PREFIX "_printf_float, " SKERRY_FLOAT_FORMATS_PREFIX "_scanf_float\n"
        ".popsection");
#endif
