! SPDX-License-Identifier: BSD-3-Clause
! detach and omp_fulfill_event from Fortran.
! GCC 12 believes, when it optimises, that the library does not write the handle.
! flags: -O0
! threads: 1 2 4
program detach
  use omp_lib
  implicit none
  integer(omp_event_handle_kind) :: event
  integer :: done

  done = 0
  !$omp parallel
  !$omp single
  !$omp task detach(event)
  !$omp atomic
  done = done + 1
  !$omp end task
  !$omp task
  !$omp atomic
  done = done + 1
  call omp_fulfill_event(event)
  !$omp end task
  !$omp taskwait
  if (done /= 2) then
    write (0, *) "fortran_detach: past taskwait with ", done
    call exit(1)
  end if
  !$omp end single
  !$omp end parallel
end program
