// SPDX-License-Identifier: BSD-3-Clause
// Finds out for which processor the compiler compiles this code, and chooses that processor's folder. No other file
// does this. All code that depends on a processor is in a folder with the processor's name. A header beside this file
// includes the header of the same name in the chosen folder.
#ifndef SKERRY_MACHINE_LINUX_ARCH_ARCH_H
#define SKERRY_MACHINE_LINUX_ARCH_ARCH_H

#if defined(__x86_64__)
#define SKERRY_ARCH x86_64
#elif defined(__aarch64__)
#define SKERRY_ARCH aarch64
#else
#error "Skerry knows x86-64 and aarch64; add a folder beside this file for another processor"
#endif

// Expands to the path of the header NAME in the processor's folder, as a text for #include.
// clang-format off
#define SKERRY_ARCH_FILE(NAME) SKERRY_ARCH_TEXT(SKERRY_ARCH/NAME) // spaces would be part of the path
// clang-format on
#define SKERRY_ARCH_TEXT(PATH) SKERRY_ARCH_TEXT_OF(PATH)
#define SKERRY_ARCH_TEXT_OF(PATH) #PATH

#endif
