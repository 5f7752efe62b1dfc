# `make demo` shows the main job on two throw-away hosts, `make test` runs everything; both set up what they need.
# The rest are their parts, and what goes beyond them.

.DEFAULT_GOAL := help
SHELL := /bin/bash
VENV := .venv/bin
export PATH := $(CURDIR)/$(VENV):$(PATH)
export PYTHONPATH := $(CURDIR)/.collections
export ANSIBLE_CONFIG := $(CURDIR)/ansible.cfg
export ANSIBLE_COLLECTIONS_PATH := $(CURDIR)/.collections

.PHONY: help setup demo test clean lint unit matrix sanity tarball molecule quadlet docs fuzz bench

help:  ## show this list
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

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

matrix:  ## planning on the oldest, a middle and the newest ansible-core
	@tests/matrix/run.sh

sanity:  ## ansible-test sanity on every Python that is here
	@tests/sanity.sh

tarball:  ## the built collection in an empty folder, without our ansible.cfg
	@tests/tarball.sh

quadlet:  ## 200 command lines through the real generator, systemd and Podman of a throw-away host
	@tests/integration/quadlet/run.sh

molecule:  ## the scenarios on throw-away hosts
	@molecule test --all

docs:  ## write the pages that are made from data
	@tools/generate_docs.sh
