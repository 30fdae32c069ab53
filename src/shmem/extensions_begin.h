/* SPDX-License-Identifier: BSD-3-Clause
   Switches off warnings, up to extensions_end.h, about the parts of the public headers that the language standard does
   not have: long long in C++98 and C89, other features of C99 in C89, and _Complex in C++. Compilers can be asked to
   warn of these in system headers too. The file has no include guard, because each public header includes it once. It
   has only comments of this form, because C89 has no other. */
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
