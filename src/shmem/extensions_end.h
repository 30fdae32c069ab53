/* SPDX-License-Identifier: BSD-3-Clause
   The end of what extensions_begin.h begins. */
#pragma GCC diagnostic pop
