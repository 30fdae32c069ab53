! SPDX-License-Identifier: BSD-3-Clause
! The routines of omp_lib from Fortran.
! threads: 1 3 8
program routines
  use omp_lib
  implicit none
  integer(omp_lock_kind) :: lock
  integer(omp_nest_lock_kind) :: nest_lock
  integer(omp_sched_kind) :: kind
  integer(omp_allocator_handle_kind) :: allocator
  integer :: threads, count, nested, chunk, i, size
  integer :: ids(4096), places(4096)
  character(len=80) :: text
  real(8) :: begin
  type(omp_alloctrait) :: traits(1)

  threads = omp_get_max_threads()
  call omp_init_lock(lock)
  call omp_init_nest_lock(nest_lock)
  count = 0
  nested = 0
  !$omp parallel private(i)
  do i = 1, 200
    call omp_set_lock(lock)
    count = count + 1
    call omp_unset_lock(lock)
    call omp_set_nest_lock(nest_lock)
    if (omp_test_nest_lock(nest_lock) /= 2) call fail("nest lock")
    nested = nested + 1
    call omp_unset_nest_lock(nest_lock)
    call omp_unset_nest_lock(nest_lock)
    if (omp_test_lock(lock)) call omp_unset_lock(lock)
    !$omp barrier
  end do
  !$omp end parallel
  if (count /= 200*threads .or. nested /= count) call fail("locks")
  call omp_destroy_lock(lock)
  call omp_destroy_nest_lock(nest_lock)

  call omp_set_num_threads(threads + 1)
  if (omp_get_max_threads() /= threads + 1) call fail("omp_set_num_threads")
  call omp_set_num_threads(threads)
  call omp_set_dynamic(.true.)
  if (.not. omp_get_dynamic()) call fail("omp_get_dynamic")
  call omp_set_dynamic(.false.)
  if (omp_get_dynamic()) call fail("omp_set_dynamic")
  call omp_set_schedule(omp_sched_guided, 11)
  call omp_get_schedule(kind, chunk)
  if (kind /= omp_sched_guided .or. chunk /= 11) call fail("schedule")
  call omp_set_nested(.true.)
  if (.not. omp_get_nested()) call fail("nested")
  call omp_set_max_active_levels(3)
  if (omp_get_max_active_levels() /= 3) call fail("levels")
  !$omp parallel
  !$omp parallel num_threads(2)
  if (omp_get_level() /= 2 .or. omp_get_ancestor_thread_num(2) /= omp_get_thread_num() .or. &
      omp_get_team_size(1) /= threads .or. omp_get_team_size(2) /= 2) call fail("levels inside")
  if (omp_get_active_level() < 1 .or. .not. omp_in_parallel()) call fail("active level")
  !$omp end parallel
  !$omp end parallel
  if (omp_get_num_threads() /= 1 .or. omp_get_thread_num() /= 0 .or. omp_in_parallel()) call fail("outside")
  if (omp_get_num_procs() < 1 .or. omp_get_thread_limit() < 16 .or. omp_get_supported_active_levels() < 3) &
    call fail("limits")
  if (omp_in_final() .or. omp_get_cancellation()) call fail("final or cancellation")
  if (omp_get_max_task_priority() /= 0) call fail("priority")
  if (omp_get_proc_bind() /= omp_proc_bind_false) call fail("proc_bind")
  begin = omp_get_wtime()
  if (omp_get_wtick() <= 0d0 .or. omp_get_wtime() < begin) call fail("time")

  if (omp_get_num_devices() /= 0 .or. .not. omp_is_initial_device() .or. omp_get_initial_device() /= 0) call fail("devices")
  if (omp_get_device_num() /= omp_get_initial_device()) call fail("device number")
  call omp_set_default_device(2)
  if (omp_get_default_device() /= 2) call fail("default device")
  call omp_set_default_device(0)
  if (omp_get_num_teams() /= 1 .or. omp_get_team_num() /= 0) call fail("teams")
  call omp_set_num_teams(4)
  call omp_set_teams_thread_limit(5)
  if (omp_get_max_teams() /= 4 .or. omp_get_teams_thread_limit() /= 5) call fail("teams' limits")
  if (omp_pause_resource(omp_pause_soft, 0_4) /= 0 .or. omp_pause_resource_all(omp_pause_soft) /= 0) call fail("pause")

  size = omp_get_num_places()
  do i = 0, size - 1
    if (omp_get_place_num_procs(i) < 1) call fail("a place without processors")
    call omp_get_place_proc_ids(i, ids)
    if (ids(1) < 0) call fail("place_proc_ids")
  end do
  call omp_get_partition_place_nums(places)
  if (size == 0 .and. (omp_get_place_num() /= -1 .or. omp_get_partition_num_places() /= 0)) call fail("places")

  call omp_set_affinity_format("level %L of Fortran")
  if (omp_get_affinity_format(text) /= 19 .or. text /= "level %L of Fortran") call fail("affinity format")
  if (omp_capture_affinity(text, "<%n>") /= 3 .or. text /= "<0>") call fail("capture")

  traits(1) = omp_alloctrait(omp_atk_alignment, 64)
  allocator = omp_init_allocator(omp_default_mem_space, 1, traits)
  if (allocator == omp_null_allocator) call fail("allocator")
  call omp_set_default_allocator(allocator)
  if (omp_get_default_allocator() /= allocator) call fail("default allocator")
  call omp_set_default_allocator(omp_default_mem_alloc)
  call omp_destroy_allocator(allocator)
  if (threads > 1000) then ! named, not run: they print
    call omp_display_env(.false.)
    call omp_display_affinity("%n")
  end if

contains
  subroutine fail(what)
    character(len=*), intent(in) :: what
    write (0, *) "fortran_routines: ", what
    call exit(1)
  end subroutine
end program
