# `make run` and `make test` are all you need; `make` alone lists the rest. Each sets up what it needs, once.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check --no-input
# Node.js of the machine, or the one that $(VENV)/.node brought.
WITH_NODE := PATH="$(abspath $(BIN)):$$PATH"
NPM := cd web && $(WITH_NODE) npm

# $(call install,PACKAGES,WHO needs): install system packages, as root or through sudo.
install = echo "== system packages $(1)"; \
	if [ "$$(id -u)" = 0 ]; then root=; else root=sudo; fi; \
	$$root apt-get -qq -o DPkg::Lock::Timeout=300 update >/dev/null 2>&1 </dev/null; \
	$$root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 install -y $(1) >/dev/null 2>&1 </dev/null || { \
	  echo "Could not install the system packages $(1), which $(2)."; exit 1; }

# Recorded flights and measurements may lie beside the checkout.
ifneq ($(wildcard ../shared/data),)
export CUPOLA_DATA ?= $(abspath ../shared/data)
endif

# Programs that tests and measurements start shall not read every module's source anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run web test test-web ros fuzz soak reproduce bench results docs lock clean
.NOTPARALLEL:

help:
	@echo "make run        fly a quadcopter in the browser"
	@echo "make web        build the page of the cockpit anew when web/ has changed"
	@echo "make test       lint, types and tests"
	@echo "make ros        install Debian's ROS 1 and Fast DDS, against which the bridges are tested"
	@echo "make test-web   lint and unit tests of the page alone"
	@echo "make fuzz       read damaged files of every format, two minutes unless SECONDS says otherwise"
	@echo "make soak       fly five vehicles for HOURS (1) of simulated time each, kill every command KILLS (50) times"
	@echo "make reproduce  print every published figure beside ours"
	@echo "make bench      measure the speed on this machine"
	@echo "make results    measure the figures that the documentation prints"
	@echo "make docs       build the documentation into site/"
	@echo "make lock       pin the newest versions that fit into requirements.lock"
	@echo "make clean      remove what was built (delete $(VENV)/ too for a fresh start)"

run: $(VENV)/.page
	@echo "== fly a quadcopter in the browser"
	@$(BIN)/cupola fly

web: $(VENV)/.page

test: $(VENV)/.dev $(VENV)/.pictures $(VENV)/.page $(VENV)/.browser $(VENV)/.ros web/node_modules/.package-lock.json
	@echo "== lint"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@echo "== types"
	@$(BIN)/mypy
	@$(MAKE) --no-print-directory test-web
	@echo "== tests"
	@$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder --durations=20

test-web: web/node_modules/.package-lock.json
	@echo "== lint of the page"
	@$(NPM) run --silent lint
	@echo "== unit tests of the page"
	@$(NPM) test --silent

# Part of the tests where the packages exist; elsewhere they skip in a sentence.
ros: $(VENV)/.ros
	@echo "== what the tests of ROS need is there, or they skip"

# Real files, damaged in many ways; what is neither read nor refused in a sentence is kept in out/fuzz.
fuzz: $(VENV)/.dev
	@echo "== read damaged files"
	@$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),120) --seed $(or $(SEED),$(shell date +%s))

# Simulated hours of five vehicles in pieces, then commands killed at random moments; a day of it takes hours.
soak: $(VENV)/.dev
	@echo "== hours of flight, and kills"
	@$(BIN)/python -m tests.soak --hours $(or $(HOURS),1) --kills $(or $(KILLS),50)

# RotorPy, against which real flights are predicted, comes with the packages to test.
reproduce: $(VENV)/.dev
	@echo "== reproduce the published figures"
	@$(BIN)/cupola reproduce

# JSBSim, against which one row is measured, comes with the packages to test.
bench: $(VENV)/.dev $(VENV)/.pictures $(VENV)/.page
	@echo "== measure the speed"
	@$(BIN)/cupola bench

results: $(VENV)/.dev $(VENV)/.pictures $(VENV)/.page
	@echo "== measure the figures that the documentation prints"
	@$(BIN)/python docs/results/measure.py reproduce
	@$(BIN)/python docs/results/measure.py bench

docs: $(VENV)/.docs
	@echo "== build the documentation"
	@$(BIN)/mkdocs build --strict

# The newest python that is new enough and really starts (a pyenv shim may exist and not run).
$(VENV)/.made:
	@echo "== python environment"
	@if $(BIN)/python -m pip --version >/dev/null 2>&1; then touch $@; exit 0; fi; \
	python=; \
	for candidate in $(PYTHON) python3.13 python3.12 python3.11 python3; do \
	  if "$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then \
	    python=$$candidate; break; \
	  fi; \
	done; \
	if [ -z "$$python" ]; then echo "Cupola needs Python 3.11 or newer, and none was found."; exit 1; fi; \
	if ! "$$python" -c 'import ensurepip' >/dev/null 2>&1; then $(call install,python3-venv,$$python needs); fi; \
	"$$python" -m venv --clear $(VENV) || { echo "$$python could not make the environment $(VENV)."; exit 1; }; \
	touch $@

$(VENV)/.core: $(VENV)/.made pyproject.toml requirements.lock
	@echo "== packages to run (a minute or two the first time)"
	@$(PIP) install -c requirements.lock -e . || { \
	  echo "The pinned versions do not install here; going on with the newest that fit."; \
	  $(PIP) install -e . || { echo "The Python packages cannot be installed: is the package index reachable?"; exit 1; }; }
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	@echo "== packages to test"
	@$(PIP) install -c requirements.lock -e '.[dev]'
	@$(PIP) install --no-deps MAVProxy==1.8.75 pyserial==3.5  # of what it asks for, maps and 3-D views are not tested
	@touch $@

# OpenGL without a graphics card, with which cameras are tested; simulating without pictures needs none of it.
$(VENV)/.pictures: $(VENV)/.core
	@$(BIN)/python -c 'from mujoco.egl import GLContext; GLContext(1, 1)' >/dev/null 2>&1 || { \
	  $(call install,libegl1 libopengl0 libgl1-mesa-dri,the tests of cameras need); }
	@touch $@

# The page is built when the package is installed; an edit in web/ installs it again.
$(VENV)/.page: $(VENV)/.core $(shell find web -type f -not -path '*/node_modules/*')
	@echo "== the page of the cockpit"
	@$(PIP) install -c requirements.lock --no-deps -e .
	@touch $@

# Node.js for the tools of the page, found as hatch_build.py finds it: on the machine, or else on PyPI.
$(VENV)/.node: $(VENV)/.dev
	@$(WITH_NODE) $(BIN)/python -c 'import sys, hatch_build; sys.exit(not hatch_build.has_node())' || { \
	  echo "== Node.js"; $(PIP) install "$$($(BIN)/python -c 'import hatch_build; print(hatch_build.FROM_PYPI)')"; }
	@touch $@

web/node_modules/.package-lock.json: $(VENV)/.node web/package.json web/package-lock.json
	@echo "== packages of the page"
	@$(NPM) install --no-save --no-audit --no-fund --loglevel=error >/dev/null
	@touch $@

# A browser without a screen, in which the page is tested.
$(VENV)/.browser: $(VENV)/.made
	@command -v chromium >/dev/null 2>&1 || { $(call install,chromium,the tests of the page need); }
	@touch $@

# ROS 1 of Debian 12. Other systems have no such packages: the tests that need them skip.
ROS := ros-core python3-rospy python3-rosbag python3-tf2-ros python3-nav-msgs python3-sensor-msgs python3-std-srvs
$(VENV)/.ros: $(VENV)/.made
	@/usr/bin/python3 -c 'import rospy, rosbag, tf2_ros, nav_msgs, sensor_msgs, std_srvs' >/dev/null 2>&1 || \
	  ( $(call install,--no-install-recommends $(ROS),the tests of ROS 1 need) ) || echo "Those tests will skip."
	@test -e /usr/include/fastdds/dds/domain/DomainParticipant.hpp || \
	  ( $(call install,--no-install-recommends libfastrtps-dev,a test of ROS 2 needs) ) || echo "That test will skip."
	@touch $@

$(VENV)/.docs: $(VENV)/.core
	@echo "== packages to build the documentation"
	@$(PIP) install -c requirements.lock -e '.[docs]'
	@touch $@

# Names and versions only: a constraints file works with any index, platform and subset of extras.
lock: $(VENV)/.made
	@echo "== pin versions"
	@mkdir -p out
	@$(PIP) install --dry-run --ignore-installed --report out/lock.json '.[dev,docs]'
	@$(BIN)/python -c 'import json, sys; \
	pins = {i["metadata"]["name"]: i["metadata"]["version"] for i in json.load(open("out/lock.json"))["install"]}; \
	del pins["cupola"]; \
	print("# Exact versions of every dependency, made by `make lock` with Python %d.%d; used as pip constraints." % sys.version_info[:2]); \
	print(*(f"{name}=={pins[name]}" for name in sorted(pins, key=str.lower)), sep="\n")' > out/requirements.lock
	@mv out/requirements.lock requirements.lock

clean:
	rm -rf out site dist build web/node_modules src/cupola/cockpit/page $(VENV)/.page .pytest_cache .mypy_cache .ruff_cache .hypothesis
