#!/usr/bin/env bash
# Resemblances of real documents, long ones among them, against every document compared with every
# other (tests/support/resemblance.py), at 1, 2 and 4 ranks and in little memory.
# FULL=1: more options, and 2 ranks too.  Variables: see common.sh.
set -eu
. "$(dirname "$0")/common.sh"

# What is judged: all pairs, near duplicates, a sample, and without common shingles.
runs() {
    cat <<'OPTIONS'
--tau 0
--tau 0 --shingle-blanks keep
--tau 0.3 --sct 20 --sample 4 --shingle-bytes 32
OPTIONS
    [ -z "$FULL" ] || cat <<'OPTIONS'
--tau 0.5
--tau 0 --sample 64
--tau 0 --sct 70
--tau 0.6 --join overlap
OPTIONS
}

inputs=()
for name in "newsgroups --groups 2" installguide gov2; do
    ! real ${name%% *} ${name#"${name%% *}"} || inputs+=("${paths[@]}")
done
if [ ${#inputs[@]} -gt 0 ]; then
    number=0
    sentences_of sentence "$work/s.jsonl" "${inputs[@]}"
    while read -r options; do
        number=$((number + 1))
        check "$options" \
            detect 1 "$work/r$number.h5" --method nikkhoo $options "${inputs[@]}"
        for np in ${FULL:+2} 4; do
            check "$options on $np ranks, 1M" detect "$np" "$work/x.h5" --memory 1M --method nikkhoo \
                $options "${inputs[@]}"
            check "$options on $np ranks, 1M: same" "$PYTHON" "$support/same_result.py" \
                "$work/r$number.h5" "$work/x.h5"
        done
    done < <(runs)
    check "resemblances" "$PYTHON" "$support/resemblance.py" --sentences "$work/s.jsonl" "$work"/r*.h5
    cat "$work/log"
else
    exit 77
fi
finish
