#!/bin/bash
# Keep files of a release: two results and an index, made by the program of that release.
# usage: tests/old/make.sh PROGRAM     PROGRAM: pardup as it is released. Its version names VERSION.tar.gz of this folder
set -eu
cd "$(dirname "$0")"
program=$(realpath "$1")
version=$("$program" --version | sed -n '1s/pardup //p')
made=/tmp/pardup-$version # results and indexes tell where they were made
mkdir "$made"
trap 'rm -rf "$made"' EXIT
cp texts.jsonl sources.jsonl "$made"
here=$PWD
cd "$made"
export PARDUP_RANKS=1
"$program" detect --quiet --reproducible -o detect.h5 texts.jsonl
"$program" index --quiet -o sources.index sources.jsonl
"$program" check --quiet --reproducible --index sources.index -o check.h5 texts.jsonl
rm texts.jsonl sources.jsonl
tar c --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner . | gzip -9n >"$here/$version.tar.gz"
