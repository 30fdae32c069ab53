# SPDX-License-Identifier: BSD-3-Clause
# The commands a user and a developer type; all work is CMake's, in build/<preset>. PRESET=debug make builds another way.
#   make [build]              build the product: library, tools, simulator
#   make tests                build the tests and the examples too
#   make run                  set up, build, and run the main job with 16 PEs
#   make check                set up, build, and pass every test, also under sanitizers and for another processor
#   make check-native         the tests of this build alone
#   make smoke                build, and some 250 tests of all parts
#   make install PREFIX=dir   install below dir (DESTDIR as usual); STRIP=no keeps the debug information
#   make install-debug PREFIX=dir   the debug information alone, below dir/lib/debug
#   make chip                 build the epiphany-elf tools, once per machine, outside this tree, and what they make here
#   make coverage             the tests with counted lines, and a page of them: build/coverage/coverage.md (TESTS=regex: fewer tests)
#   make bench [ARGS=...] | run-examples | docs | deb | clean
# Says nothing of folders, nor do the makes that CMake starts where there is no ninja.
MAKEFLAGS += --no-print-directory

PRESET ?= default
PREFIX ?= /usr/local
STRIP ?= yes
JOBS ?= $(shell nproc)
ifeq ($(origin CMAKE_GENERATOR),undefined)
export CMAKE_GENERATOR := $(if $(shell command -v ninja),Ninja,Unix Makefiles)
endif

folder := build/$(PRESET)
build := cmake --build
ctest := ctest --output-on-failure --no-tests=error --parallel $(JOBS)
oshrun = $(CURDIR)/$(folder)/bin/oshrun

# Under sanitizers and emulation the launcher is this machine's own, and fewer numbers of PEs are tried.
variant_flags = -DSKERRY_LAUNCHER=OFF -DSKERRY_BENCH=OFF -DSKERRY_LAUNCH_WITH=$(oshrun)
variants := asan tsan
ifeq ($(shell uname -m),x86_64)
variants += aarch64
endif
targets_of_asan = --target all --target tests
targets_of_aarch64 = --target all --target tests
flags_of_asan = $(variant_flags) "-DSKERRY_TEST_PES=1;3;8"
# The sanitizer of threads is for the OpenMP runtime: its constructs with one number of threads.
flags_of_tsan = $(variant_flags) -DSKERRY_SIM=OFF -DSKERRY_EXAMPLES=OFF -DSKERRY_TEST_FOLDERS=omp -DSKERRY_TEST_PES=4
targets_of_tsan = --target skerry_omp --target omp_tests
flags_of_aarch64 = $(variant_flags) "-DSKERRY_TEST_PES=2;4"

.PHONY: build tests run check check-native coverage smoke chip install install-debug bench run-examples docs deb clean setup configure
build: configure
	@$(build) $(folder) --parallel $(JOBS)

tests: configure
	@$(build) $(folder) --parallel $(JOBS) --target all --target tests

setup:
	@scripts/setup build

configure: setup
	@[ -f $(folder)/build.ninja ] || [ -f $(folder)/Makefile ] || cmake --preset $(PRESET)

# The main job, and a short table of what this machine gives and what is left of it.
run: configure
	@$(build) $(folder) --parallel $(JOBS) --target main_job
	@$(oshrun) -n 16 $(folder)/examples/heat examples/data/cat.png $(folder)/heat.png
	@$(folder)/bin/skerry bench --quick

# One number of PEs or threads of most tests.
smoke: tests
	@$(ctest) --test-dir $(folder) -R '^(shmem|rpc|aos|primitive)\..*\.3$$|^omp\..*\.4$$|^(unit|structure)'

run-examples: build
	@cmake --build $(folder) --target run-examples

bench: build
	@$(folder)/bin/skerry bench $(ARGS)

docs: configure
	@scripts/setup docs
	@$(build) $(folder) --target docs
	@echo "site: $(folder)/site/index.html; man pages: $(folder)/share/man"

# Several builds, one ctest over all of them.
check:
	@scripts/setup build check
	@$(MAKE) chip
	@$(MAKE) tests
	@for variant in $(variants); do $(MAKE) variant-$$variant || exit; done
	@scripts/join-tests build/check $(folder) $(variants:%=build/%)
	@$(ctest) --test-dir build/check

.PHONY: $(variants:%=variant-%)
$(variants:%=variant-%): variant-%:
	@cmake --preset $* $(flags_of_$*) >build/$*.log || { cat build/$*.log; exit 1; }
	@$(build) build/$* --parallel $(JOBS) $(targets_of_$*)

check-native:
	@scripts/setup build check
	@$(MAKE) tests
	@$(ctest) --test-dir $(folder)

# Programs that are killed leave no counts, and tests that measure time may fail without optimisation.
coverage:
	@scripts/setup build check
	@cmake --preset coverage -DSKERRY_BENCH=OFF "-DSKERRY_TEST_PES=2;4" >build/coverage.log 2>&1 || { cat build/coverage.log; exit 1; }
	@$(build) build/coverage --parallel $(JOBS) --target all --target tests
	@find build/coverage -name '*.gcda' -delete
	@$(ctest) --test-dir build/coverage $(if $(TESTS),-R '$(TESTS)') || echo "coverage: some tests failed; their lines count all the same"
	@scripts/coverage build/coverage

# The build looks for the tools when it is configured.
chip: setup
	@scripts/setup chip
	@mkdir -p build
	@JOBS=$(JOBS) toolchain/build
	@cmake --preset $(PRESET) >$(folder).log 2>&1 || { cat $(folder).log; exit 1; }
	@$(build) $(folder) --parallel $(JOBS) --target chip

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
