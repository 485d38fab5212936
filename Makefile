# The commands of the project. `make help` lists them.
SWIFT ?= swift
RELEASE := $(SWIFT) build -c release --static-swift-stdlib
.PHONY: help packages build test format lint fences clean

help: ## list the commands
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

packages: ## install the Debian packages that are missing (as root)
	@scripts/install-packages

build: packages ## build the release programs into .build/release
	$(RELEASE)

test: packages ## run every test
	SWIFT=$(SWIFT) scripts/run-tests

format: ## write the sources in the one format
	$(SWIFT) format -i -r Package.swift Sources Tests

lint: ## say where the format is broken
	$(SWIFT) format lint --strict -r Package.swift Sources Tests

fences: ## check the doors between the rooms
	scripts/check-fences

clean: ## remove what was built
	$(SWIFT) package clean
