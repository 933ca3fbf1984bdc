# The front door. The build itself is CMakeLists.txt; a target here is a line
# or two. CC=clang is honoured; DESTDIR and PREFIX too, by `make install`.
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 600
SOURCES = git ls-files '*.c' '*.h'

.DEFAULT_GOAL := help
.PHONY: help deps build amalgamation web web-serve python redis redis-demo
.PHONY: demo check test torture bench bench-ab asan tsan fuzz coverage abi
.PHONY: reproducible foreign musl windows platforms mutants types format install
.PHONY: uninstall dist deb bare clean python-dist

help: ## what one can do (this list)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' \
	    $(firstword $(MAKEFILE_LIST))

deps: ## install the Debian packages that are missing
	@scripts/deps.sh build

build: deps ## build/release: seenset, libseenset.a, libseenset.so
	@CC='$(CC)' scripts/build.sh release seenset_command seenset_static \
	    seenset_shared seenset_queue_static seenset_queue_shared

amalgamation: deps ## build/release/amalgamation: the core in seenset.c, seenset.h
	@scripts/deps.sh amalgamation
	@CC='$(CC)' scripts/build.sh release seenset_amalgamation

web: ## build/web: the page, the module for npm in its folder module
	@scripts/deps.sh web
	@scripts/web.sh

web-serve: web ## the page, served to this machine at an address it prints
	@scripts/deps.sh node
	@scripts/node.sh fetch
	@"$$(scripts/node.sh)" fronts/web/serve.mjs build/web

redis: deps ## build/release/seenset-redis.so: a module for Redis and Valkey
	@CC='$(CC)' scripts/build.sh release seenset_redis seenset_command

redis-demo: redis ## start a server with the module, and talk to it
	@scripts/deps.sh redis
	@scripts/redis_demo.sh build/release/seenset-redis.so

python: ## build/python: a wheel, and a virtual environment that has it
	@scripts/deps.sh python
	@scripts/python.sh
	@echo "Try it: build/python/venv/bin/python -c 'help(\"seenset\")'"

python-dist: ## build/python/dist: what an index of packages takes, checked
	@scripts/deps.sh python
	@scripts/deps.sh python_dist
	@fronts/python/dist.sh build/python/dist

demo: deps ## watch a stream of real URLs lose its duplicates
	@CC='$(CC)' scripts/build.sh release seenset_command seenset_peak
	@scripts/demo.sh build/release

check: deps ## the quick tests of the library, in about a minute
	@CC='$(CC)' scripts/build.sh release quick_tests
	@scripts/test.sh release --label-regex '^quick$$'

test: deps ## build and run all tests
	@scripts/deps.sh test || echo "test: what needs these is skipped" >&2
	@CC='$(CC)' scripts/build.sh release
	@scripts/web_tests.sh
	@CC='$(CC)' scripts/redis_tests.sh
	@scripts/python_tests.sh
	@scripts/formats_tests.sh
	@scripts/test.sh release --label-exclude budget

test-redis: deps ## the tests of the module (SERVER=PROGRAM: in that server)
	@CC='$(CC)' scripts/build.sh release
	@CC='$(CC)' scripts/redis_tests.sh
	@$(or $(SERVER),scripts/redis_server.sh) $(if $(SERVER),--version)
	@$(if $(SERVER),REDIS_SERVER='$(SERVER)') scripts/test.sh release \
	    --label-regex '^redis$$'

torture: deps ## kill the queue and cut its power, for minutes
	@CC='$(CC)' scripts/build.sh release
	@build/release/tests/test_queue_kill 2000
	@build/release/tests/test_lives 2000
	@build/release/tests/test_queue_power 100000
	@build/release/tests/test_queue_repair_killed 20
	@build/release/tests/test_queue_damage_pairs 100000
	@build/release/tests/test_header_damage_pairs
	@build/release/tests/test_pairs 100
	@build/release/tests/test_promises whole
	@tests/faults/faulty.sh $(CURDIR)/build/release/seenset \
	    $(CURDIR)/build/release/tests/libfaulty.so
	@tests/faults/loops.sh build/release . 5 $$(date +%s)
	@tests/faults/polite_crawl.sh $(CURDIR)/build/release/seenset \
	    /usr/bin/python3 5000 20 || [ $$? = 77 ]
	@build/release/tests/test_processes 4000
	@build/release/tests/test_threads 1000000000 20000
	@build/release/tests/test_big 35
	@build/release/tests/test_large 1000000000 1000000000 35
	@build/release/tests/test_promise 20000
	@build/release/tests/test_measured_sets 100000
	@CC='$(CC)' scripts/redis_tests.sh
	@tests/redis/run.sh hostile $(CURDIR) $(CURDIR)/build/release 100000 || \
	    [ $$? = 77 ]
	@tests/redis/run.sh visit_hostile $(CURDIR) $(CURDIR)/build/release \
	    100000 || [ $$? = 77 ]
	@tests/redis/run.sh visit_model $(CURDIR) $(CURDIR)/build/release \
	    10000 || [ $$? = 77 ]
	@tests/redis/run.sh cluster $(CURDIR) $(CURDIR)/build/release 100 || \
	    [ $$? = 77 ]
	@SEENSET_LONG=1 tests/redis/run.sh cluster_polite $(CURDIR) \
	    $(CURDIR)/build/release || [ $$? = 77 ]
	@tests/redis/run.sh restart $(CURDIR) $(CURDIR)/build/release 10 || \
	    [ $$? = 77 ]
	@scripts/web_tests.sh
	@scripts/python_tests.sh
	@SEENSET_LONG=1 ctest --test-dir build/release -L python
	@tests/web/run.sh use_stream $(CURDIR) $(CURDIR)/build/release || \
	    [ $$? = 77 ]

bench: deps ## limits, seenset and its peers (QUICK=1: three minutes)
	@CC='$(CC)' scripts/bench.sh $(if $(QUICK),--quick)

bench-ab: deps ## is this tree slower than the libseenset.so that OLD names?
	@CC='$(CC)' scripts/build.sh release seenset_shared seenset_bench_ab
	@build/release/bench/bench_ab '$(OLD)' build/release/libseenset.so

asan: deps ## the tests under the address and undefined sanitizers
	@CC='$(CC)' scripts/build.sh asan
	@scripts/test.sh asan

tsan: deps ## the tests under the thread sanitizer
	@CC='$(CC)' scripts/build.sh tsan
	@scripts/test.sh tsan

fuzz: deps ## each fuzzer for FUZZ_SECONDS (600); AFL=1: by AFL++
	@scripts/deps.sh $(if $(AFL),afl,clang)
	@CC=$(if $(AFL),afl-clang-fast,clang) \
	    scripts/build.sh $(if $(AFL),afl,fuzz)
	@scripts/fuzz.sh $(if $(AFL),afl,fuzz) $(FUZZ_SECONDS)

coverage: deps ## what the tests run, as a table and build/coverage/html
	@scripts/deps.sh coverage
	@rm -rf build/coverage
	@CC=gcc scripts/build.sh coverage
	@scripts/test.sh coverage
	@mkdir -p build/coverage/html
	@gcovr --root . --filter src/ --filter fronts/ \
	    --html-details build/coverage/html/index.html build/coverage
	@scripts/coverage.py build/coverage

abi: deps ## is the library one that programs built before can use?
	@scripts/deps.sh abi
	@CC='$(CC)' scripts/abi.sh check

reproducible: deps ## two builds, one of the tarball: the same bytes?
	@CC='$(CC)' scripts/reproducible.sh

foreign: deps ## tests on other processors, files between them (ARCH=s390x)
	@scripts/deps.sh foreign
	@scripts/platforms/foreign.sh $(ARCH)

musl: deps ## libraries and command for musl, dynamic and static, and tests
	@scripts/deps.sh musl
	@scripts/platforms/musl.sh

windows: deps ## for 64-bit Windows: core and command, tests under wine
	@scripts/deps.sh windows
	@scripts/platforms/windows.sh

platforms: musl windows foreign ## all three, and the table of what runs where
	@scripts/platforms/table.sh

mutants: deps ## break the library on purpose: do the tests notice?
	@scripts/deps.sh mutants
	@scripts/mutants/mutate.py

types: ## write the types of the figures (fronts/figures) into the fronts
	@fronts/figures/types.sh

format: ## run clang-format over every C file
	@scripts/deps.sh format
	@$(SOURCES) | xargs clang-format -i

install: build ## to PREFIX (/usr/local), under DESTDIR if set
	@DESTDIR='$(DESTDIR)' scripts/install.sh install build/release '$(PREFIX)'

uninstall: ## take away what install put into PREFIX (/usr/local)
	@DESTDIR='$(DESTDIR)' scripts/install.sh uninstall '$(PREFIX)'

clean: ## remove build/, with all that was built or downloaded into it
	@rm -rf --one-file-system build

bare: ## demo and test in a Debian that has nothing (SUITE); as root
	@scripts/bare.sh

dist: deps ## build/seenset-VERSION.tar.gz: the last commit; the core in two files
	@scripts/deps.sh amalgamation
	@scripts/dist.sh build

deb: ## build/deb: the Debian packages, checked by lintian and unpacked
	@scripts/deb.sh build/deb
