! SPDX-License-Identifier: BSD-3-Clause
! Regions, loops, sections, single, critical, ordered, atomic and workshare from Fortran.
program constructs
  use omp_lib
  implicit none
  integer :: threads, i, j, total, last, next, copied, count
  integer :: values(200), matrix(20, 30)
  real(8) :: real_sum
  logical :: all_true
  complex(8) :: plane
  character(len=40) :: text

  threads = omp_get_max_threads()
  total = 0
  !$omp parallel reduction(+:total)
  if (omp_get_num_threads() /= threads) call fail("number of threads")
  total = total + omp_get_thread_num() + 1
  !$omp end parallel
  if (total /= threads*(threads + 1)/2) call fail("parallel reduction")

  values = 0
  !$omp parallel do schedule(dynamic, 3) lastprivate(last)
  do i = 1, 200
    values(i) = values(i) + i
    last = i
  end do
  !$omp end parallel do
  if (any(values /= [(i, i=1, 200)]) .or. last /= 200) call fail("parallel do")

  matrix = 0
  !$omp parallel do collapse(2) schedule(guided)
  do i = 20, 1, -1
    do j = 1, 30, 2
      matrix(i, j) = matrix(i, j) + 1
    end do
  end do
  if (sum(matrix) /= 300) call fail("collapse")

  next = 1
  !$omp parallel do ordered schedule(static, 2)
  do i = 1, 100
    !$omp ordered
    if (next /= i) call fail("ordered")
    next = next + 1
    !$omp end ordered
  end do

  real_sum = 0
  all_true = .true.
  plane = (0, 0)
  !$omp parallel do schedule(runtime) reduction(+:real_sum, plane) reduction(.and.:all_true)
  do i = 1, 100
    real_sum = real_sum + 0.5d0*i
    plane = plane + cmplx(i, -i, 8)
    all_true = all_true .and. i > 0
  end do
  if (real_sum /= 2525d0 .or. plane /= (5050d0, -5050d0) .or. .not. all_true) call fail("reductions of other types")

  count = 0
  total = 0
  !$omp parallel private(copied, text)
  !$omp sections
  !$omp section
  !$omp atomic
  total = total + 1
  !$omp section
  !$omp atomic
  total = total + 10
  !$omp end sections
  if (total /= 11) call fail("sections")
  !$omp barrier
  !$omp single
  copied = 42
  text = "from one to all"
  !$omp end single copyprivate(copied, text)
  if (copied /= 42 .or. text /= "from one to all") call fail("copyprivate")
  !$omp critical (name)
  count = count + 1
  !$omp end critical (name)
  !$omp barrier
  if (count /= threads) call fail("critical")
  !$omp barrier
  !$omp workshare
  values = 2*values
  matrix(:, 1) = 7
  !$omp end workshare
  if (values(200) /= 400 .or. any(matrix(:, 1) /= 7)) call fail("workshare")
  !$omp master
  count = -1
  !$omp end master
  !$omp end parallel
  if (count /= -1) call fail("master")

contains
  subroutine fail(what)
    character(len=*), intent(in) :: what
    write (0, *) "fortran_constructs: ", what
    call exit(1)
  end subroutine
end program
