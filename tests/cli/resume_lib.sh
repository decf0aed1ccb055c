# Shared by the scripts about jobs that are disturbed and then resumed (sourced): the job, its collection, and what
# shows that nothing of the disturbance is left: the result is that of a job nobody disturbed, and scratch is empty.
#   SEED    of the moments and places of damage [the same every time]
#   FEW     not empty: a kill, a harm and a signal of each kind, not all of them
if [ -z "${OWN_MOUNTS:-}" ] && unshare -m true 2>/dev/null; then
    OWN_MOUNTS=1 exec unshare -m bash "$0" # what is mounted below is gone with the script
fi
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
if [ -n "${OWN_MOUNTS:-}" ] && mount -t tmpfs tmpfs "$work"; then # checkpoints are synced: not with a slow disk
    trap 'cd / && umount -l "$work" && rm -rf "$work"' EXIT
    cd "$work" || exit 1
fi
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1
RANDOM=${SEED:-7}
RUN_SECONDS=${RUN_SECONDS:-120}

method="--method pdc-shingle2 --tau 0.6 --max-near 2 --max-df 40 --gap 2 --frame aside --templates aside"
options="$method --memory 1M --compress none --progress none --scratch scratch -o x.h5"
mkdir scratch

# detect NP OPTION...: the job; its words are split where wanted
detect() {
    local np=$1
    shift
    need_ranks "$np"
    rm -f x.h5
    timeout "$RUN_SECONDS" "${on_ranks[@]}" "$np" "$PARDUP" detect $options "$@" $pages >out 2>err </dev/null
    status=$?
}

# begin NP OPTION...: the same, in the background; $job and $launcher are its processes
begin() {
    local np=$1 command=("${on_ranks[@]}" "$1" "$PARDUP")
    shift
    need_ranks "$np"
    [ "$np" -gt 0 ] || command=("$PARDUP")
    rm -f x.h5
    timeout "$RUN_SECONDS" "${command[@]}" detect $options "$@" $pages >out 2>err </dev/null &
    job=$!
    launcher=
    until [ -n "$launcher" ] || ! kill -0 $job 2>/dev/null; do launcher=$(pgrep -P $job); done
}

end() {
    wait $job 2>/dev/null
    status=$?
}

# until_there PATTERN: wait for a file, or for the end of the job
until_there() {
    until compgen -G "$1" >/dev/null || ! kill -0 $job 2>/dev/null; do sleep 0.005; done
}

rank_of() { ranks_of "$launcher" | shuf -n 1 --random-source=<(yes $RANDOM); }
same() { "$PYTHON" "$here/../support/same_result.py" reference.h5 x.h5 >out 2>&1; }
empty() { [ -z "$(ls -A scratch)" ]; }
resumed() { # resumed NAME NP: nothing shows that the job was disturbed
    detect "$2" --resume
    exits "$1, resumed on $2 ranks" 0
    verdict "$1: same result" same
    verdict "$1: scratch is empty" empty
}

# collection NAME BYTES SHARD: what the job reads
collection() {
    "$PARDUP" synth --bytes "$2" --shard-bytes "$3" --profile law -o "$1" >synth.log 2>&1 || { cat synth.log; exit 1; }
    pages=$(echo "$1"/part-*.warc.gz)
}

# The result of a job nobody disturbed.
make_reference() {
    detect 1
    [ $status -eq 0 ] || { cat err; exit 1; }
    mv x.h5 reference.h5
}
