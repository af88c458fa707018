# The commands of this project; each is one line one can type by hand as well.
BIN = $(or $(PALIMPSEST_VENV),.venv)/bin
COMPILE = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --extra embedded pyproject.toml

.PHONY: help up test check format lock

help:  ## list the commands
	@sed -n 's/^\([a-z]*\):.*## /make \1: /p' $(MAKEFILE_LIST)

up:  ## run everything on this machine
	python3 deploy/up.py

test:  ## run the tests: make test ARGS="tests/deploy -k killed"
	python3 deploy/test.py $(ARGS)

check:  ## all that has to hold before a change is taken in
	.ci/run

format:  ## write the code in the project's style
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock:  ## pin every library anew, by hash
	$(COMPILE) --output-file requirements.lock
	$(COMPILE) --group dev --constraint requirements.lock --output-file requirements-dev.lock
