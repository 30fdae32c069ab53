! SPDX-License-Identifier: BSD-3-Clause
! Tasks, dependences, taskloop, taskgroup and their reductions from Fortran.
program tasks
  use omp_lib
  implicit none
  integer :: i, result, order, total, cell
  integer, allocatable :: values(:)
  character(len=20) :: text

  !$omp parallel
  !$omp single
  result = fib(16)
  !$omp end single
  !$omp end parallel
  if (result /= 987) call fail("fib")

  order = 0
  cell = 0
  !$omp parallel
  !$omp single
  do i = 1, 100
    !$omp task depend(inout: cell) firstprivate(i) shared(order)
    order = order + 1
    if (order /= i) call fail("depend")
    !$omp end task
  end do
  !$omp taskwait
  if (order /= 100) call fail("taskwait")
  allocate (values(50))
  values = 3
  text = "kept by the task"
  !$omp task firstprivate(values, text)
  if (size(values) /= 50 .or. any(values /= 3) .or. text /= "kept by the task") call fail("firstprivate")
  values = 0
  !$omp end task
  !$omp taskgroup
  !$omp task shared(order)
  !$omp task shared(order)
  !$omp atomic
  order = order + 1
  !$omp end task
  !$omp end task
  !$omp end taskgroup
  if (order /= 101) call fail("taskgroup")
  !$omp end single
  !$omp end parallel
  if (any(values /= 3)) call fail("a task's copy came out")

  total = 0
  !$omp parallel
  !$omp single
  !$omp taskloop grainsize(7) reduction(+:total)
  do i = 100, 1, -1
    total = total + i
  end do
  !$omp end taskloop
  !$omp taskgroup task_reduction(+:total)
  do i = 1, 100
    !$omp task in_reduction(+:total)
    total = total + 1
    !$omp end task
  end do
  !$omp end taskgroup
  !$omp end single
  !$omp end parallel
  if (total /= 5150) call fail("reductions of tasks")

contains
  recursive function fib(n) result(sum)
    integer, intent(in) :: n
    integer :: sum, left, right
    if (n < 2) then
      sum = n
      return
    end if
    !$omp task shared(left)
    left = fib(n - 1)
    !$omp end task
    !$omp task shared(right)
    right = fib(n - 2)
    !$omp end task
    !$omp taskwait
    sum = left + right
  end function

  subroutine fail(what)
    character(len=*), intent(in) :: what
    write (0, *) "fortran_tasks: ", what
    call exit(1)
  end subroutine
end program
