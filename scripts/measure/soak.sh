#!/bin/bash
# Kill, resume, compare, for hours: a random rank of `pardup detect` gets SIGKILL at random moments of every
# stage; the job is resumed with other numbers of ranks and other --memory until it is done; the result must be that
# of a job nobody disturbed, and scratch empty. Ends with a table: method x stage, kills, right results.
# usage: scripts/measure/soak.sh [-w DIR] [ROUNDS]     a round: KILLS in each stage of each method [1]
#   -w DIR    work there and keep everything [a temporary folder]
# PARDUP: the program [build/release/pardup]; KILLS [20]; BYTES of HTML [6M]; LIMIT: seconds a run may take [120];
# SEED [1]; STAGES, METHODS: only these. Exit status 1 when a run hung, or a result was wrong.
set -uo pipefail
SCRIPT=soak.sh
LIMIT=${LIMIT:-120}
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
KILLS=${KILLS:-20}
RANDOM=${SEED:-1}
read -ra stages <<<"${STAGES:-read count gather join align write}"
read -ra methods <<<"${METHODS:-pdc-imatch qsign-exact pdc-shingle2 pdc-spotsigs}"
PYTHON=${PYTHON:-/usr/bin/python3}

options() {
    case $1 in
    pdc-imatch) echo --method pdc-imatch --max-df 30 ;;
    qsign-exact) echo --method qsign-exact --max-df 30 --max-near 5 ;;
    pdc-shingle2) echo --method pdc-shingle2 --tau 0.6 --max-near 2 --max-df 30 ;;
    pdc-spotsigs) echo --method pdc-spotsigs --antecedents 60 --max-near 3 --max-df 30 --skip-same-host ;;
    *) echo --method "$1" --max-df 30 ;;
    esac
}

# launch METHOD NP OPTION...: in the background; $job, $launcher
launch() {
    local method=$1 np=$2
    shift 2
    local memories=(1M 2M 3M 8M 64M) compress=none
    [ "$stage" != write ] || compress=deflate # takes its time
    # shellcheck disable=SC2046 # words are wanted
    timeout --kill-after=10 "$limit" "${on_ranks[@]}" "$np" "$pardup" detect --verbose --progress none --gap 2 --scratch scratch \
        --compress $compress --memory "${memories[RANDOM % ${#memories[@]}]}" $(options "$method") -o x.h5 "$@" web/part-*.warc.gz \
        >log 2>&1 </dev/null &
    job=$!
    launcher=
    until [ -n "$launcher" ] || ! kill -0 $job 2>/dev/null; do launcher=$(pgrep -P $job); done
}

# The file that appears when a stage begins, or earlier; how long before it, in thousandths, by $method.log.
sign_of() { case $1 in gather) echo 'scratch/*/volume-*' ;; align) echo 'scratch/*/joined' ;; write) echo x.h5.part ;; *) echo 'scratch/*/job' ;; esac; }
took() { awk -v s="$1" '$2 == s && NF > 5 { printf "%d\n", $3 * 1000 }' "$method.log"; }
before() {
    case $1 in
    count) took read ;;
    gather) took count ;;
    join) echo $(($(took read) + $(took count) + $(took gather))) ;;
    *) echo 0 ;;
    esac
}

# What scratch tells of how far the job was.
phase() {
    if [ -e x.h5.part ]; then echo write
    elif compgen -G 'scratch/*/joined' >/dev/null; then echo align
    elif compgen -G 'scratch/*/classes-*' >/dev/null; then echo gather,join
    elif compgen -G 'scratch/*/volume-*' >/dev/null; then echo read,count
    else echo plan,read; fi
}

# disturb STAGE: kill a rank some time in the stage; false when the job ended before
disturb() {
    local sign all victim
    sign=$(sign_of "$1")
    # Not before MPI is up: an mpirun whose rank dies in MPI_Init may wait for it for ever.
    until grep -q -e 'no checkpoint' -e 'going on' log || ! kill -0 $job 2>/dev/null; do sleep 0.005; done
    until compgen -G "$sign" >/dev/null || ! kill -0 $job 2>/dev/null; do sleep 0.005; done
    all=$(($(before "$1") + RANDOM * ($(took "$1") + 50) / 32768))
    sleep "$((all / 1000)).$(printf %03d $((all % 1000)))"
    victim=($(ranks_of "$launcher"))
    [ ${#victim[@]} -gt 0 ] && kill -9 "${victim[RANDOM % ${#victim[@]}]}" 2>/dev/null
    wait $job 2>/dev/null
    status=$?
    [ $status -ne 0 ]
}

complain() {
    wrong=$((wrong + 1))
    say "WRONG  $method, killed in $stage, resumed on $np ranks: $1"
    cp -a scratch "bad.$wrong"
    cp log "bad.$wrong.log"
    [ -n "$kept" ] || { kept=1; trap - EXIT; }
    say "kept: $work/bad.$wrong"
}

same() { "$PYTHON" "$root/tests/support/same_result.py" "$method.h5" x.h5 >differs 2>&1; }

judge() {
    if [ $status -ne 0 ]; then
        complain "exit status $status: $(head -n 3 log)"
    elif ! same; then
        complain "another result: $(head -n 1 differs)"
    elif [ -n "$(ls -A scratch)" ]; then
        complain "scratch is not empty: $(ls scratch)"
    else
        right=$((right + 1))
    fi
}

# soak METHOD STAGE
soak() {
    method=$1 stage=$2
    local killed=0 tried=0 more began
    right=0
    declare -A in=()
    while [ $killed -lt "$KILLS" ] && [ $tried -lt $((3 * KILLS)) ]; do
        rm -rf x.h5 x.h5.part scratch
        mkdir scratch
        more=$((1 + RANDOM % 4)) # kills of this job
        status=1
        while [ $more -gt 0 ]; do
            more=$((more - 1)) tried=$((tried + 1))
            rm -f x.h5
            np=$((1 + RANDOM % 4))
            began=$SECONDS
            launch "$method" $np --resume
            disturb "$stage" || break
            [ $((SECONDS - began)) -lt "$limit" ] || { complain "hangs"; break; }
            if [ -e x.h5 ] && ! same; then complain "half a result"; fi # killed when all was done: a whole one
            killed=$((killed + 1))
            in[$(phase)]=$((${in[$(phase)]:-0} + 1))
        done
        if [ $status -ne 0 ]; then
            rm -f x.h5
            np=$((1 + RANDOM % 4))
            launch "$method" $np --resume
            wait $job
            status=$?
        fi
        judge
    done
    printf '%-14s %-7s %6d %6d   %s\n' "$method" "$stage" $killed $right \
        "$(for k in "${!in[@]}"; do echo -n "$k ${in[$k]}  "; done)"
    kills=$((kills + killed)) results=$((results + right))
}

begin "$@"
wrong=0 kills=0 results=0 kept=''
work=$PWD
[ -e web/synth.json ] || "$pardup" synth --seed 1 --bytes "${BYTES:-6M}" --shard-bytes 500K -o web 2>/dev/null
for method in "${methods[@]}"; do
    mkdir -p plain
    # shellcheck disable=SC2046
    "$pardup" detect --verbose --progress none --gap 2 --scratch plain --memory 2M $(options "$method") -o "$method.h5" \
        web/part-*.warc.gz 2>"$method.log" || { cat "$method.log"; exit 1; }
done
printf '%-14s %-7s %6s %6s   %s\n' method stage kills right "what scratch held"
for ((round = 0; round < ${rest[0]:-1}; round++)); do
    for method in "${methods[@]}"; do
        for stage in "${stages[@]}"; do soak "$method" "$stage"; done
    done
done
echo "$kills kills, $results right results, $wrong wrong"
[ $wrong -eq 0 ] && [ $kills -gt 0 ]
