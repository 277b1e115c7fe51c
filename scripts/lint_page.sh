#!/bin/sh
# Check the style and the types of the page's code. The checkers are listed in page/package.json; if they are not
# installed, nothing is checked and a warning is printed.
cd "$(dirname "$0")/../page" || exit 1
if [ ! -e node_modules/typescript ]; then
    echo "warning: the page's code is not checked; install the checkers: cd page && npm install --no-save" >&2
    exit 0
fi
exec npm run --silent lint
