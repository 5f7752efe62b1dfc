# `make demo` shows the main job on two throw-away hosts, `make test` runs everything; both set up what they need.
# The rest are their parts, and what goes beyond them.

.DEFAULT_GOAL := help
SHELL := /bin/bash
VENV := .venv/bin
# With what `su` leaves out, and whatever language the shell speaks.
export PATH := $(CURDIR)/$(VENV):$(PATH):/usr/sbin:/sbin
export LC_ALL := C.UTF-8
export PYTHONPATH := $(CURDIR)/.collections
export ANSIBLE_CONFIG := $(CURDIR)/ansible.cfg
export ANSIBLE_COLLECTIONS_PATH := $(CURDIR)/.collections

.PHONY: help setup demo test clean lint unit matrix matrix-full sanity tarball molecule integration reliability docs pages site fuzz bench

help:  ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup:  ## system packages and a Python environment for everything below, kept in the cache
	@tests/setup.sh

demo: setup  ## two throw-away hosts with simulated GPUs, site.yml on them, tokens from both
	@tests/demo.sh

test: setup  ## everything that must pass
	@tests/run.sh

clean:  ## remove every host, image and volume that demo and test made; the cache stays
	@tests/hosts/sandbox.py clean

lint:  ## style, types, licences, changelog, roles and playbooks
	@tests/lint.sh

unit:  ## the pure packages and the doors, without any host
	@python -m pytest -q

matrix: setup  ## ansible-core 2.16, 2.19 and the newest, Python 3.9, 3.11 and 3.13 of hosts: a table of what passes and what was not run
	@tests/matrix/run.sh
	@tests/matrix/hosts/run.sh

matrix-full: setup  ## the same, with all unit tests and all of ansible-test sanity on each
	@tests/matrix/run.sh --full
	@tests/matrix/hosts/run.sh

sanity:  ## ansible-test sanity on every Python that is here
	@tests/sanity.sh

tarball:  ## the built collection in an empty folder, without our ansible.cfg
	@tests/tarball.sh

integration:  ## real Quadlet, systemd, Podman and vLLM's parser on a throw-away host, without a server
	@tests/integration/run.sh

molecule:  ## the scenarios on throw-away hosts
	@molecule test --all

reliability: setup  ## all faults of docs/reliability.md, on throw-away hosts, and its table; eight are part of test
	@python -m pytest -c tests/reliability/pytest.ini tests/reliability --table docs/reliability.md

docs:  ## write the pages that are made from data
	@python tools/generate_inventory_docs.py
	@python tools/generate_findings_docs.py
	@python tools/generate_troubleshooting.py

pages:  ## what README.md and docs/ show: commands are run, inventories planned, names and links looked up
	@python -m pytest -q -c tests/docs/pytest.ini tests/docs

site:  ## README.md, docs/ and the reference of every plugin and role as HTML in .cache/site; a warning fails it
	@python tools/site/build.py

fuzz: setup  ## 20,000 random command lines on each of three releases against the real parser; not part of test
	@python tests/fuzz/fuzz.py 0.33.0 0.26.0 0.20.2

bench: setup  ## the figures of docs/performance.md
	@python bench/settings_check.py
	@python bench/validate_fleet.py
	@python bench/nothing_to_do.py
	@python bench/update_gap.py
	@python bench/growth.py
