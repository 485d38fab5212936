# The commands of the project. `make help` lists them.
SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
SECONDS ?= 600
.PHONY: help packages build install uninstall demo test soak format lint fences clean bench floor

help: ## list the commands
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST)

packages: ## install the Debian packages that are missing (as root)
	@scripts/install-packages

build: packages ## build the release programs into .build/release
	@SWIFT='$(SWIFT)' scripts/place-files build

# The folders go through the environment: no shell takes their spaces, quotes or dollars apart.
install uninstall: export PREFIX := $(value PREFIX)
install uninstall: export DESTDIR := $(value DESTDIR)
install: ## install under PREFIX (/usr/local), staged under DESTDIR; builds first where needed
	@SWIFT='$(SWIFT)' scripts/place-files install

uninstall: ## remove what install put under PREFIX; stores and /etc stay
	@scripts/place-files uninstall

demo: build ## show the main job with real PAM: as root with a throw-away user, else with your own login password
	scripts/demo

test: packages ## run every test
	SWIFT=$(SWIFT) scripts/run-tests

soak: build ## writes and reads through a daemon that is killed again and again, for SECONDS (600), as root
	scripts/soak $(SECONDS)

format: ## write the sources in the one format
	$(SWIFT) format -i -r Package.swift Sources Tests Benchmarks

lint: ## say where the format is broken
	$(SWIFT) format lint --strict -r Package.swift Sources Tests Benchmarks

fences: ## check the doors between the rooms
	scripts/check-fences

floor: Benchmarks/floor/floor.c ## build the C program that the benchmarks stand beside
	mkdir -p .build/floor
	$(CC) -O2 -Wall -Wextra -Werror -o .build/floor/floor $< -lsqlite3 -lsodium -lkeyutils -lpthread -lpam

bench: build floor ## measure, with the C floor in the same run; as root (BENCH="--items 100000" for a short one)
	.build/release/latchkey-bench $(BENCH)
	Benchmarks/daemon $(BENCH)

clean: ## remove what was built
	$(SWIFT) package clean
