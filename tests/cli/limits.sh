#!/bin/bash
# Narrow and odd surroundings: few open files, a small stack, odd names for scratch, relative ones.
. "$(dirname "$0")/lib.sh"
PARDUP=$(realpath "$PARDUP")
RUN_SECONDS=${RUN_SECONDS:-120}
PYTHON=${PYTHON:-/usr/bin/python3}
export PYTHONDONTWRITEBYTECODE=1

"$PARDUP" synth --bytes 2M --shard-bytes 12K --profile law -o web >synth.log 2>&1 || { cat synth.log; exit 1; }
options="--method pdc-shingle2 --tau 0.6 --max-near 2 --max-df 40 --gap 2 --memory 1M --compress none --progress none"
same() { "$PYTHON" "$here/../support/same_result.py" reference.h5 "$1" >out 2>&1; }

# right NAME OUT
right() {
    exits "$1" 0
    verdict "$1: same result" same "$2"
}

run detect $options --memory 1G -o reference.h5 web/part-*.warc.gz
exits "reference" 0

# ---- 64 open files, more files in the collection than that ----
verdict "more than 64 files" [ "$(ls web/part-*.warc.gz | wc -l)" -gt 64 ]
for np in 1 4; do
    (
        ulimit -n 64
        run_np $np detect $options -o x.h5 web/part-*.warc.gz
        exit $status
    )
    status=$?
    right "64 open files, $np ranks" x.h5
done

# ---- a small stack, as batch systems and containers have ----
(
    ulimit -s 256
    run detect $options -o x.h5 web/part-*.warc.gz
    exit $status
)
status=$?
right "a stack of 256 KB" x.h5

# ---- names of scratch: through TMPDIR, relative, with a slash at the end ----
odd="it's a \"temporary\" folder; \$HOME %s *"
mkdir "$odd" relative
for folder in "with spaces" "it's quoted"; do # double quotes are too much for Open MPI alone
    mkdir "$folder"
    TMPDIR=$PWD/$folder run detect $options -o x.h5 web/part-*.warc.gz
    right "TMPDIR $folder" x.h5
    verdict "TMPDIR $folder: is empty" [ -z "$(compgen -G "$folder/pardup-*")" ]
done
for scratch in relative relative/ ./relative/../relative "$odd" .; do
    run_np 2 detect $options --scratch "$scratch" -o x.h5 web/part-*.warc.gz
    right "--scratch $scratch" x.h5
    verdict "--scratch $scratch: is empty" [ -z "$(compgen -G "$scratch/pardup-*")" ]
done
long=$(printf 'long%.0s' $(seq 60))
mkdir -p "$long/$long/$long"
run detect $options --scratch "$long/$long/$long" -o x.h5 web/part-*.warc.gz
right "a long name" x.h5
endless=$(printf 'endless/%.0s' $(seq 600)) # longer than any path may be
run detect $options --scratch "$endless" -o y.h5 web/part-*.warc.gz
exits "too long a name" 1
one_error "too long a name"
absent "too long a name" y.h5

# ---- the result in another folder, spelt in other ways: one job, one folder in scratch ----
mkdir folder
ln -s folder link
run detect $options --scratch relative -o ./folder/x.h5 web/part-*.warc.gz
right "result in another folder" folder/x.h5
timeout "$RUN_SECONDS" "$PARDUP" detect $options --compress deflate --scratch relative -o folder/y.h5 web/part-*.warc.gz >out1 2>err </dev/null &
job=$!
until compgen -G 'relative/*/volume-*' >/dev/null || ! kill -0 $job 2>/dev/null; do sleep 0.005; done
kill -USR1 "$(pgrep -P $job)"
wait $job
status=$?
exits "stopped" 75
run detect $options --resume --scratch ./relative/ -o link/../folder/./y.h5 web/part-*.warc.gz
says "resumed under another name" "going on from the checkpoint"
right "resumed under another name" folder/y.h5
verdict "scratch is empty" [ -z "$(ls -A relative)" ]
finish
