// SPDX-License-Identifier: BSD-3-Clause
// Defines unsigned integer types of 8 to 64 bits. The inline bodies of the routines know only the size of an element.
// The bodies load and store an element of any type as the integer of this size. The attribute may_alias tells the
// compiler that a pointer to such an integer can point to an object of any type.
#ifndef SKERRY_SHMEM_ELEMENT_H
#define SKERRY_SHMEM_ELEMENT_H

#include <stdint.h>

typedef uint8_t __attribute__((may_alias)) skerry_element_8;
typedef uint16_t __attribute__((may_alias)) skerry_element_16;
typedef uint32_t __attribute__((may_alias)) skerry_element_32;
typedef uint64_t __attribute__((may_alias)) skerry_element_64;

#endif
