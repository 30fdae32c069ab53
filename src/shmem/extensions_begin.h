// SPDX-License-Identifier: BSD-3-Clause
// From here to extensions_end.h: what the public headers use beyond the language standard, for compilers that are asked to warn of it
// in system headers too: long long and variadic macros in C++98, _Complex in C++. No include guard: used once a header.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wlong-long"
#pragma GCC diagnostic ignored "-Wvariadic-macros"
#endif
