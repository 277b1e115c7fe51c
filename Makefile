# Each target is one command; `make setup` first.
PYTHON = .venv/bin/python

.PHONY: setup native test test-more test-all test-sanitized coverage wheels fuzz mutants lint docs notebooks site package release proofs \
    bench golden page test-page test-32 serve clean

setup:            ## a virtual environment with everything for development
	python3 -m venv .venv
	.venv/bin/pip install -q -U 'pip>=25.1'
	.venv/bin/pip install -q -e . --group dev

test:             ## the default tests
	.venv/bin/pytest

native:           ## compile the kernels in C++; a checkout also does that by itself when they are needed
	$(PYTHON) -m knightstour.core.kernels.builder

test-sanitized:   ## the kernels under ASan and UBSan (GCC), which name the line in C++
	.venv/bin/pytest -n 0 -m long tests/kernels/test_sanitized.py

coverage:         ## which lines of the kernels their tests run (GCC): build/kernels/coverage/*.gcov
	rm -rf build/kernels/coverage
	KNIGHTSTOUR_NATIVE=coverage .venv/bin/pytest -n 0 -m 'not slow' --ignore=tests/kernels/test_sanitized.py tests/kernels
	cd build/kernels/coverage && gcov -r -s $(CURDIR) *.gcda | grep -A 1 "^File 'src/.*\.cc'"

wheels:           ## a wheel for each platform, all from this machine: dist/*.whl
	$(PYTHON) scripts/make_wheels.py

test-more:        ## all but the slow ones, with more examples and checked kernels; those in a browser; those of servers
	HYPOTHESIS_PROFILE=more .venv/bin/pytest -m 'not (slow or browser or processes)'
	.venv/bin/pytest -n 2 --dist loadfile -m '(browser or processes) and not slow'

test-all:         ## the slow ones too
	KNIGHTSTOUR_NATIVE=checked .venv/bin/pytest -n 0 -m 'slow or not slow'

fuzz:             ## questions that nobody foresaw, for hours; what fails is kept in .hypothesis and tried first
	cd $$(mktemp -d) && KNIGHTSTOUR_FUZZ=100000 KNIGHTSTOUR_NATIVE=checked $(CURDIR)/.venv/bin/pytest -n 0 --timeout 0 -m long -c $(CURDIR)/pyproject.toml --rootdir $(CURDIR) $(CURDIR)/tests/web/test_fuzz.py

mutants:          ## change the checkers of certificates in every small way; what survives is listed
	.venv/bin/pip install -q mutmut
	.venv/bin/mutmut run
	.venv/bin/mutmut results

lint:             ## style, types, spelling, and what a package should have; the page's code too
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/mypy --strict --config-file= typing_tests
	.venv/bin/codespell
	.venv/bin/clang-format --dry-run -Werror $$(git ls-files '*.cc' '*.h')
	git ls-files '*.cc' | xargs -P 2 -I FILE .venv/bin/clang-tidy --quiet FILE -- -std=c++17 -DSOURCES='""'
	.venv/bin/sp-repo-review --show err .
	.venv/bin/zizmor --offline --quiet --min-severity medium .github/workflows
	scripts/lint_page.sh

docs:             ## write the generated parts of README.md and docs/, and draw their pictures
	$(PYTHON) scripts/make_docs.py
	$(PYTHON) scripts/make_gallery.py

notebooks:        ## run the notebooks of docs/ and store their outputs
	$(PYTHON) scripts/make_notebooks.py

site:             ## the pages as a site, build/site/index.html: warnings are errors, every link is followed
	$(PYTHON) scripts/make_site.py

package:          ## build wheel and sdist, install them into clean environments, and try them
	.venv/bin/pytest -n 0 -m slow tests/package

release:          ## the files of a release, tried from an index of this machine: make release TAG=v0.2.0; a trial without TAG
	$(PYTHON) scripts/release.py $(TAG)

proofs:           ## check the finite part of docs/proofs.md, its certificates among it
	$(PYTHON) scripts/check_proofs.py

bench:            ## measure commands, and write the figures into the pages; quiet, it takes some five minutes
	$(PYTHON) benchmarks/run.py
	$(PYTHON) scripts/make_docs.py

golden:           ## rewrite the golden files; look at the difference before committing
	.venv/bin/pytest -n 0 --rewrite-golden -k golden

page:             ## the page as a folder of files for any web host, build/page: the library runs in the browser
	$(PYTHON) scripts/make_page.py

test-page: page   ## the browser tests once more, on that folder
	KNIGHTSTOUR_PAGE=build/page .venv/bin/pytest -n 0 -m browser page/tests

test-32:          ## the default tests in Python for browsers, where a pointer has 32 bits (needs Node)
	$(PYTHON) scripts/test_32.py

serve:            ## the page in the browser
	$(PYTHON) -m knightstour serve --open

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
