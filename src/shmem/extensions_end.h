/* SPDX-License-Identifier: BSD-3-Clause
   Switches the warnings on again that extensions_begin.h switches off. */
#pragma GCC diagnostic pop
