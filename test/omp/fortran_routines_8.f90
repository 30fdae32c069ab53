! SPDX-License-Identifier: BSD-3-Clause
! The routines of omp_lib where integers have 8 bytes: the names that end in _8_.
! flags: -fdefault-integer-8
! threads: 1 3 8
include 'fortran_routines.f90'
