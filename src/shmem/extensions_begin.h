/* SPDX-License-Identifier: BSD-3-Clause
   From here to extensions_end.h: what the public headers use beyond the language standard, for compilers that are asked to warn of it
   in system headers too: long long in C++98, that and what else C99 brought in C89, _Complex in C++. No include guard: used once a
   header. C89 has no other comments than this one. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wlong-long"
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wold-style-cast"
#else
#pragma GCC diagnostic ignored "-Wcomment"
#pragma GCC diagnostic ignored "-Wvariadic-macros"
#pragma GCC diagnostic ignored "-Wdeclaration-after-statement"
#endif
