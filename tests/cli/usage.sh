#!/bin/bash
# Help, version and wrong usage: answered without MPI, one clear line, exit status 2.
. "$(dirname "$0")/lib.sh"

run --help
exits help 0
prints help "usage: pardup COMMAND"
run --version
exits version 0
verdict "version is one line" [ "$(wc -l <out)" -eq 1 ]
for command in detect compare text sentences show export; do
    run $command --help
    exits "$command --help" 0
    prints "$command --help" "usage: pardup $command"
done
run text --help
prints "formats in --help" "  mbox "
run_np 3 detect --help
exits "help on 3 ranks" 0
verdict "help on 3 ranks is printed once" [ "$(grep -c '^usage:' out)" -eq 1 ]

refuse() { # refuse WHAT-IT-SAYS ARGUMENT...
    local words=$1
    shift
    run "$@"
    exits "$*" 2
    says "$*" "$words"
    one_error "$*"
    absent "$*" x.h5
}
refuse "no command given"
refuse "no such command" find
refuse "no such option" detect --bogus -o x.h5 .
refuse "--tau 7: expected a number above 0 and up to 1" detect --tau 7 -o x.h5 .
refuse "--gamma -1: expected a whole number" detect --gamma -1 -o x.h5 .
refuse "expected one of: word sentence" detect --edges both -o x.h5 .
refuse "--idf 1,0: expected two numbers" detect --idf 1,0 -o x.h5 .
refuse "-o FILE is required" detect .
refuse "no INPUT given" detect -o x.h5
refuse "-o needs FILE" detect . -o
refuse "expected two files to compare" compare x.txt
refuse "expected one of: auto always never" compare --color red x.txt y.txt
refuse "expected one result file" show
run_np 2 detect --tau 7 -o x.h5 .
exits "wrong usage on 2 ranks" 2
one_error "wrong usage on 2 ranks"
finish
