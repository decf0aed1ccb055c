#!/bin/bash
# Many tiny documents in every shape: all are read, and the copies among them found.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"

PARDUP=$PARDUP "$here/../../scripts/measure/many_documents.sh" 10000 >out 2>err
status=$?
exits "10000 tiny documents" 0
verdict "a line for each shape" [ "$(wc -l <out)" -eq 5 ]
finish
