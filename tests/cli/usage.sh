#!/bin/bash
# Help, version and wrong usage: answered without MPI, one clear line, exit status 2.
. "$(dirname "$0")/lib.sh"

run --help
exits help 0
prints help "usage: pardup COMMAND"
run --version
exits version 0
verdict "version is one line" [ "$(wc -l <out)" -eq 1 ]
cp out version
run -V
verdict "-V is --version" cmp out version
run --version --verbose
prints "--version --verbose" "HDF5 "
prints "--version --verbose: how it was built" "  built "

# Every command has a --help of one screen, 24 lines of 80 columns, and one with all options.
run help
cp out top
run --help
verdict "help is --help" cmp out top
fits() { # fits NAME LINES
    verdict "$1: no line has more than 80 columns" awk 'length > 80 { exit 1 }' out
    verdict "$1: at most $2 lines" [ "$(wc -l <out)" -le "$2" ]
}
fits "help" 24
commands=$(sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p' out)
for command in $commands; do
    run help $command
    cp out brief
    fits "help $command" 24
    prints "help $command" "usage: pardup $command"
    prints "help $command: an example" "example: "
    run $command --help
    verdict "$command --help" cmp out brief
    run $command --help all
    fits "$command --help all" 1000
    prints "$command --help all: every command has it" "  --quiet "
    cp out full
    run help $command all
    verdict "help $command all" cmp out full
    for option in $(sed -n 's/^  \(-o, \)\?\(--[a-z-]*\).*/\2/p' brief); do
        verdict "$command: $option of the brief help is in the full one" grep -q -- " $option " full
    done
done
verdict "there are commands" [ "$(wc -w <<<"$commands")" -ge 10 ]
run text --help all
prints "formats in --help all" "  mbox "
run_np 3 detect --help
exits "help on 3 ranks" 0
verdict "help on 3 ranks is printed once" [ "$(grep -c '^usage:' out)" -eq 1 ]

run show --help
verdict "numbers that stand for something else are not shown" [ "$(grep -cF -e '[-1]' -e '[0]' out)" = 0 ]
run help show all
prints "all of the help shows them" "[-1]"

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
prints "no command: the list" "detect"
refuse "no such command" find
refuse "no such command" help find
refuse "shw: no such command; did you mean show" shw
refuse "xyzzy: no such command; pardup --help lists them" xyzzy
echo "A text." >a.txt
refuse "a.txt: no such command, but a file; pardup compare A B shows what two texts share" a.txt a.txt
for size in 64M 64MB 64MiB 64m; do
    run detect --memory $size --preset texts -o sized.h5 a.txt
    exits "--memory $size" 0
done
refuse "--memory 2GG: expected bytes, with K, M, G or T, such as 2G" detect --memory 2GG -o x.h5 a.txt
refuse "--gama: no such option; did you mean --gamma (see --help)" detect --gama 3 -o x.h5 x
refuse "--famly=3: no such option; did you mean --family (see --help)" show --famly=3 x.h5
refuse "--xyz: no such option (see --help)" show --xyz x.h5
refuse "no such option" detect --bogus -o x.h5 .
refuse "--tau 7: expected a number from 0 on and up to 1" detect --tau 7 -o x.h5 .
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
