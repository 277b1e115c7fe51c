#!/bin/sh
# Style and types of the page's code. They need what package.json lists; where that is missing, nothing is checked and
# this says so.
cd "$(dirname "$0")/.." || exit 1
if [ ! -e node_modules/typescript ]; then
    echo "warning: the page's code is not checked: npm install --no-save installs what that needs" >&2
    exit 0
fi
exec npm run --silent lint
