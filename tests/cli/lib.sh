# Shared by the scripts of this folder (sourced): running pardup and judging what it says.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../support/mpi_env.sh"
PARDUP=${PARDUP:-$here/../../build/release/pardup}
RUN_SECONDS=${RUN_SECONDS:-60} # a hang is a failure
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export PARDUP_LAUNCHER_SAYS=$work/launcher
passed=0
failed=0

# Pages compared sentence by sentence, as --preset web did before 0.4: what frames and templates are is the same.
by_sentence="--method pdc-imatch --gap 2 --delta 0 --max-df 300 --min-words 1 --min-counted 2 --edges word"
by_sentence="$by_sentence --max-repeats 3 --repeats none --min-copy-words 20 --min-passage-words 20 --min-agreement 0.4"
pages_by_sentence="--preset web $by_sentence"

verdict() { # verdict NAME CONDITION...
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
        [ -s err ] && sed 's/^/        err: /' err | head -n 12
        [ -s out ] && sed 's/^/        out: /' out | head -n 6
        [ -s launcher ] && sed 's/^/        launcher: /' launcher | head -n 12
    fi
}

# Scripts look for numbers that `detect` says with --verbose only; a run with --quiet gets what it asks for.
talkative() {
    words=("$@")
    if [ "${1-}" = detect ] && [[ " $* " != *" --quiet "* ]]; then
        words=(detect --verbose "${@:2}")
    fi
}

run() { # run ARGUMENT...: pardup alone; status in $status, output in out and err
    local words
    talkative "$@"
    timeout "$RUN_SECONDS" "$PARDUP" "${words[@]}" >out 2>err </dev/null
    status=$?
}

# need_ranks N: leave the script when a job of N ranks cannot be had.
need_ranks() {
    [ "$1" -le 1 ] || [ "$PARDUP_MPIRUN" != none ] && return
    echo "skipped: there is no MPI launcher, and $1 ranks are asked for; $passed passed, $failed failed before"
    [ "$failed" -eq 0 ] || exit 1
    exit 77
}

# same_jobs A B: did two runs of dedup -o A and -o B write the same bytes, proof included?
same_jobs() { diff -r "$1" "$2" && diff -r "$1.proof" "$2.proof"; }

run_np() { # run_np N ARGUMENT...
    local n=$1 words
    shift
    talkative "$@"
    set -- "${words[@]}"
    need_ranks "$n"
    rm -f launcher
    timeout "$RUN_SECONDS" "${on_ranks[@]}" "$n" "$PARDUP" "$@" >out 2>err </dev/null
    status=$?
}

# on_terminal COLUMNS ARGUMENT...: pardup on a terminal; what it shows, with line ends for a return to column 0
on_terminal() {
    PARDUP=$PARDUP TERM=${TERM:-xterm} ${PYTHON:-/usr/bin/python3} - "$@" >out 2>&1 <<'END'
import fcntl, os, pty, re, struct, sys, termios
columns, command = int(sys.argv[1]), [os.environ["PARDUP"], *sys.argv[2:]]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execv(command[0], command)
seen = b""
while True:
    try:
        more = os.read(terminal, 65536)
    except OSError:
        break
    if not more:
        break
    seen += more
os.waitpid(child, 0)
text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", seen.decode(errors="replace"))
print(re.sub(r"[\r\n]+", "\n", text).strip("\n"))
END
}

exits() { verdict "$1: exit status $2 (was $status)" [ "$status" -eq "$2" ]; }
says() { verdict "$1: standard error says '$2'" grep -qF -- "$2" err; }
prints() { verdict "$1: standard output has '$2'" grep -qF -- "$2" out; }
one_error() { verdict "$1: exactly one error line" [ "$(grep -c 'pardup: error: ' err)" -eq 1 ]; }
absent() { verdict "$1: nothing left of $2" [ ! -e "$2" -a ! -e "$2.part" ]; }
present() { verdict "$1: $2 is there, $2.part is not" [ -s "$2" -a ! -e "$2.part" ]; }

# N sentences that no other number gives.
sentences() { # sentences FROM TO
    local k
    for k in $(seq "$1" "$2"); do
        echo "Sentence number w$k speaks of x$k and y$k in its own words."
    done
}

own() { # own NAME N: N sentences that nobody else has
    local k
    for k in $(seq 1 "$2"); do
        echo "Only $1 has the words a$1$k and b$1$k and c$1$k here."
    done
}

rows() { # rows TABLE RESULT: a table in the file out
    run export --table "$1" "$2"
    exits "export $2" 0
}

same() { # same NAME A B: two results have the same tables
    verdict "$1" "${PYTHON:-/usr/bin/python3}" "$here/../support/same_result.py" "$2" "$3"
}

finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}
