# SPDX-License-Identifier: BSD-3-Clause
# Has the commands for users and developers. CMake does all the work, in the folder build/PRESET: `PRESET=debug make`
# builds the preset `debug` of CMakePresets.json. Commands that build first install missing packages (scripts/setup).
#   make [build]              build the product: library, tools, simulator
#   make tests                build the tests and the examples too
#   make run                  build and run the main job: the example heat with 16 PEs, and a short benchmark
#   make check                run all tests, also those of builds with sanitizers and for another processor (aarch64)
#   make check-native         run all tests of this build only
#   make check-models         verify the models of the protocols, also in their large configurations
#   make check-simulator      run the simulator's tests of single parts with the sanitizers for addresses and undefined behaviour
#   make smoke                run some 250 tests of all parts
#   make install PREFIX=dir   install below dir (DESTDIR as usual); STRIP=no keeps the debug information
#   make install-debug PREFIX=dir   install the debug information alone, below dir/lib/debug
#   make chip                 build the tools for the simulated cores (once per machine, in ~/.cache/skerry) and their libraries
#   make coverage             run the tests (TESTS=regex: fewer), write which lines ran: build/coverage/coverage.md
#   make bench [ARGS=...] | run-examples | docs | deb | clean
#
# The next line stops make from printing a line for each folder that it enters. It also holds for the makes that CMake
# starts if this machine has no ninja.
MAKEFLAGS += --no-print-directory

PRESET ?= default
PREFIX ?= /usr/local
STRIP ?= yes
ifneq ($(filter install,$(MAKECMDGOALS)),)
ifneq ($(filter-out yes no,$(STRIP))$(filter-out 1,$(words $(STRIP))),)
$(error STRIP=$(STRIP): must be yes or no)
endif
endif
JOBS ?= $(shell nproc)
ifeq ($(origin CMAKE_GENERATOR),undefined)
export CMAKE_GENERATOR := $(if $(shell command -v ninja),Ninja,Unix Makefiles)
endif

folder := build/$(PRESET)
build := cmake --build
# Most tests wait for other processes more than they compute, so there are more tests at a time than processors. On two
# processors, six tests at a time kept them 89 % busy, and four 76 %.
TEST_JOBS ?= $(shell expr 3 \* $(JOBS))
# One process more than processors compiles while another waits for the disk. A user's JOBS is taken as it is.
BUILD_JOBS ?= $(if $(filter file,$(origin JOBS)),$(shell expr $(JOBS) + 1),$(JOBS))
ctest := ctest --output-on-failure --no-tests=error --parallel $(TEST_JOBS)
oshrun = $(CURDIR)/$(folder)/bin/oshrun

# Options for the builds with sanitizers and for another processor. These builds have no launcher: their tests use the
# oshrun of the default build. They run with fewer numbers of PEs, because these programs are slow. They leave out
# the folders of tests that run no code of the library that the other folders do not run.
variant_flags = -DSKERRY_LAUNCHER=OFF -DSKERRY_BENCH=OFF -DSKERRY_EXAMPLES=OFF -DSKERRY_LAUNCH_WITH=$(oshrun)
variants := asan tsan
ifeq ($(shell uname -m),x86_64)
variants += aarch64
endif
targets_of_asan = --target tests --target omp_tests
targets_of_aarch64 = --target tests --target omp_tests
flags_of_asan = $(variant_flags) "-DSKERRY_TEST_PES=1;3;8" -DSKERRY_SIM=OFF "-DSKERRY_TEST_FOLDERS=unit;primitive;shmem;rpc;aos;omp"
# ThreadSanitizer checks only the OpenMP runtime. Each of its tests runs with one number of threads, mostly 4.
flags_of_tsan = $(variant_flags) -DSKERRY_SIM=OFF -DSKERRY_TEST_FOLDERS=omp -DSKERRY_TEST_PES=4
targets_of_tsan = --target skerry_omp --target omp_tests
# Only these folders and programs test code that depends on the processor: atomics, copies, waits, the layout of memory.
# The library is compiled whole. `make variant-aarch64 aarch64_tests= aarch64_programs=` builds all tests.
aarch64_tests ?= unit;primitive;shmem;omp
aarch64_programs ?= amo_|barrier|interrupt|lock_exclusion|memory_(align|barriers|calls)|order_|poll_|rma_(nbi|p_g|put_get|sizes|strided)|signal_|wait_(compare|large|many|pointer|remote|wakes)|atomic|critical|flush|for_(dynamic|ordered)|lock([.]|_wrap)|parallel([.]|_nested[.]|_reduction|_sizes|_threadprivate)|single|cancel[.]|task_(chains|depend[.]|groups|many|recursion)|process_threads|thread_(rma|wait)
flags_of_aarch64 = $(variant_flags) -DSKERRY_TEST_PES=4 "-DSKERRY_TEST_FOLDERS=$(aarch64_tests)" \
  "-DSKERRY_TEST_PROGRAMS=$(aarch64_programs)"

.PHONY: build tests run check check-native check-models check-simulator coverage smoke chip install install-debug bench run-examples docs deb clean setup configure
build: configure
	@$(build) $(folder) --parallel $(BUILD_JOBS)

tests: configure
	@$(build) $(folder) --parallel $(BUILD_JOBS) --target all --target tests

setup:
	@scripts/setup build

configure: setup
	@[ -f $(folder)/build.ninja ] || [ -f $(folder)/Makefile ] || cmake --preset $(PRESET)

# Runs the main job with 16 PEs. Then prints a short table of what this machine allows and what the library reaches.
run: configure
	@$(build) $(folder) --parallel $(BUILD_JOBS) --target main_job
	@$(oshrun) -n 16 $(folder)/examples/heat examples/data/cat.png $(folder)/heat.png
	@$(folder)/bin/skerry bench --quick

# Runs most tests with one number of PEs or threads only: 3 PEs, or 4 threads for OpenMP. Builds no other program, so the
# rules of structure/ that compare objects of other machines and of other tests are left to `make check`.
smoke: configure
	@$(build) $(folder) --parallel $(BUILD_JOBS) --target smoke_tests
	@$(ctest) --test-dir $(folder) \
	  -R '^(shmem|rpc|aos|primitive)\..*\.3$$|^omp\..*\.4$$|^unit|^structure\.(contract|exports|floors|format|freestanding|readmes|version)$$'

run-examples: build
	@cmake --build $(folder) --target run-examples

bench: build
	@$(folder)/bin/skerry bench $(ARGS)

docs: configure
	@scripts/setup docs
	@$(build) $(folder) --target docs
	@echo "site: $(folder)/site/index.html; man pages: $(folder)/share/man"

# Makes several builds, then runs ctest once for the tests of all of them.
check:
	@scripts/setup build check
	@$(MAKE) chip
	@$(build) $(folder) --parallel $(BUILD_JOBS) --target all --target tests
	@for variant in $(variants); do $(MAKE) variant-$$variant || exit; done
	@scripts/join-tests build/check $(folder) $(variants:%=build/%)
	@$(ctest) --test-dir build/check --label-exclude large || scripts/test-failures build/check

.PHONY: $(variants:%=variant-%)
$(variants:%=variant-%): variant-%:
	@mkdir -p build
	@cmake --preset $* $(flags_of_$*) >build/$*.log || { cat build/$*.log; exit 1; }
	@$(build) build/$* --parallel $(BUILD_JOBS) $(targets_of_$*)

check-native:
	@scripts/setup build check
	@$(MAKE) tests
	@$(ctest) --test-dir $(folder) --label-exclude large || scripts/test-failures $(folder)

# Before a change of a protocol: `make check` leaves out the configurations of the models with many states.
check-models:
	@scripts/setup build check
	@$(MAKE) configure
	@$(ctest) --test-dir $(folder) --label-regex model

# `make check` runs these tests without sanitizers, because they take about two minutes more with them on two processors.
check-simulator:
	@scripts/setup build check
	@mkdir -p build
	@cmake --preset asan -B build/asan_simulator $(variant_flags) -DSKERRY_TEST_FOLDERS=sim >build/asan_simulator.log || \
	  { cat build/asan_simulator.log; exit 1; }
	@$(build) build/asan_simulator --parallel $(BUILD_JOBS) --target tests
	@$(ctest) --test-dir build/asan_simulator || scripts/test-failures build/asan_simulator

# The counts are not complete, because a program that is killed writes no counts. Tests that measure time may fail,
# because this build is not optimised.
coverage:
	@scripts/setup build check
	@mkdir -p build
	@cmake --preset coverage -DSKERRY_BENCH=OFF "-DSKERRY_TEST_PES=2;4" >build/coverage.log 2>&1 || { cat build/coverage.log; exit 1; }
	@$(build) build/coverage --parallel $(BUILD_JOBS) --target all --target tests
	@find build/coverage -name '*.gcda' -delete
	@$(ctest) --test-dir build/coverage $(if $(TESTS),-R '$(TESTS)') || echo "coverage: some tests failed; their lines count all the same"
	@scripts/coverage build/coverage

# Configures the build again after the tools are built, because CMake looks for the tools only when it configures.
chip: setup
	@scripts/setup chip
	@mkdir -p build
	@JOBS=$(JOBS) toolchain/build
	@command -v riscv64-unknown-elf-gcc >/dev/null && JOBS=$(JOBS) toolchain/build riscv || \
	  echo "chip: no riscv64-unknown-elf-gcc or no newlib, so programs cannot be built for RISC-V cores" >&2
	@cmake --preset $(PRESET) >$(folder).log 2>&1 || { cat $(folder).log; exit 1; }
	@$(build) $(folder) --parallel $(BUILD_JOBS) --target chip

install: build
	@DESTDIR=$(DESTDIR) cmake --install $(folder) --prefix $(abspath $(PREFIX)) $(if $(filter yes,$(STRIP)),--strip)

install-debug: build
	@DESTDIR=$(DESTDIR) cmake --install $(folder) --prefix $(abspath $(PREFIX)) --component debug

# Two packages: skerry, and skerry-dbgsym with the debug information.
deb: build
	@scripts/setup deb
	@cd $(folder) && cpack -G DEB && cpack --config CPackDebugConfig.cmake -G DEB

clean:
	@rm -rf build
