# Options of runs that several scripts of this folder judge (sourced after common.sh).

# Lines of options, every second one with edges of words where nothing says where passages end: the papers have none.
edges_in_turn() { awk '!/--edges|--preset|--units document/ && ++n % 2 { $0 = $0 " --edges word" } 1'; }

# Every preset as it is; with lower thresholds, for short passages; what --sample does to --gap.
presets() {
    cat <<'COMBINATIONS'
--method pdc-imatch
--method pdc-shingle2
--method pdc-shingle2 --gamma 0 --tau 0.6 --gap 2
--method pdc-shingle3
--method pdc-shingle3 --gamma 1 --tau 2/3
--method pdc-shingle4
--method pdc-shingle4 --gamma 0 --tau 0.5 --gap 1
--method pdc-spotsigs
--method pdc-spotsigs --gamma 0 --tau 1/2 --antecedents 5
--method yoon
--method yoon --delta 1 --max-word-df 0.3
--method yoon --max-df 4 --max-word-df 1 --delta 0
--method pdc-imatch --max-df 4 --max-df-of times --common first --gamma 0 --max-repeats 2
--method qsign-exact
--method qsign-exact --theta-d 2.5 --gap 2
--method qsign-exact --feature multiset --theta-d 2
--method qsign-index --theta-d 2
--method qsign-index --feature multiset --max-df 5 --theta-d 0
--feature multiset --join jaccard --tau 0.5 --gamma 0 --idf 0.1,0.9 --min-counted 3
--feature words --empty match --idf 0.4,1 --always-df 0 --gamma 0
--feature words --empty match --idf 0.4,1 --always-df 0 --gamma 1 --max-df 20 --common first --within
--method nikkhoo --shingle-blanks keep
--method nikkhoo --shingle-blanks keep --shingle-bytes 12 --sample 2
--method pdc-imatch --within --gamma 0
--method pdc-shingle2 --within --gamma 0 --tau 0.5 --gap 1
--method sentence-fp
--method sentence-fp-sd
--method sentence-fp-sd --max-df 4 --min-words 3
--method sentence-length
--method sentence-length --window 4,2 --jump
--method full-fp
--method full-fp --sample 3
--method full-fp --sample 6 --gap 1 --max-df 10
--method imatch-doc
--method imatch-doc --idf 0.3,0.9 --max-df 2
--method spotsigs-doc
--method spotsigs-doc --tau 0.3 --antecedents 30 --edges sentence
--units document --feature shingle --ngram 3 --join jaccard --tau 0.2 --gamma 0 --gap 3
--method imatch-doc --lexicons 5
--feature words --lexicons 3 --gamma 0 --min-counted 3 --max-df 9
--method nikkhoo
--method nikkhoo --shingle-bytes 20 --sample 3 --tau 0.1
--method nikkhoo --shingle-bytes 9 --sct 12
--method nikkhoo --shingle-bytes 12 --sct 5 --tau 0.3 --sample 2
--method edited --rare 0.01
--method edited --rare 0.01 --templates aside
--method edited --rare 0.01 --gamma 1 --gap 10 --reach 2 --edges word --max-df 0
COMBINATIONS
}

# What --preset sets for each kind of collection.
kinds() {
    cat <<'COMBINATIONS'
--preset web
--preset web --gamma 0 --max-df 5
--preset web --templates match
--preset texts --templates aside --gamma 1
--preset web --method pdc-shingle2 --tau 0.6
--preset texts
--preset texts --gamma 0 --gap 3 --max-repeats 0 --min-passage-words 6
--preset texts --max-df 4 --max-repeats 3 --min-agreement 0.8
--preset characters
--preset characters --ngram 4 --gamma 2 --min-passage-words 5
--preset characters --gamma 0 --winnow 3 --min-passage-words 7
--method full-fp --ngram 2 --char-ngram 5 --min-passage-words 4
--preset edited
--preset code
--preset code --gamma 0 --max-df 4 --max-repeats 2
COMBINATIONS
}

# Options drawn at random: DRAWN lines from $seed.
drawn() {
    "$PYTHON" "$support/random_options.py" --seed "$seed" --lines "$DRAWN"
}

# one_run LABEL NP RESULT OPTIONS ARGUMENT...: runs detect with the words of OPTIONS; lists the run
# under its base units, and tells the judge the words of TOLD besides.
one_run() {
    local label=$1 np=$2 result=$3 options=$4 recall=""
    shift 4
    case $options in *lsh*) recall="--least-recall 0.8" ;; esac
    if detect "$np" "$result" $options "$@" >"$work/log" 2>&1; then
        echo "$result --complete $recall ${TOLD:-} # $options" >>"$work/list.$(base_units $options)"
    else
        failed=$((failed + 1))
        echo "FAILED  $label $options: detect on $np ranks"
        tail -n 5 "$work/log" | sed 's/^/        /'
        return 1
    fi
}

# judge_lists LABEL ARGUMENT...: judges all runs of a collection, and forgets them.
judge_lists() {
    local label=$1 units
    shift
    for units in sentence clause stop code; do
        [ -s "$work/list.$units" ] || continue
        check "$label: $units" sentences_of "$units" "$work/s.jsonl" "$@"
        rm -f "$work/s.jsonl.whole"
        case " $* " in
        *" --frame aside "*) check "$label: $units, whole" sentences_of "$units" "$work/s.jsonl.whole" "$@" --frame match ;;
        esac
        judge "$label" "$work/s.jsonl" "$work/list.$units"
    done
    rm -f "$work"/list.* "$work"/r*.h5
}
