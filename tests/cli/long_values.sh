#!/bin/bash
# Long command lines, long values and long paths: nothing fails at the end of a job, and what is said has its reason.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/lib.sh"

attribute() { h5dump -w 0 -a "$1" "$2" | sed -n 's/^ *(0): "\(.*\)"$/\1/p'; }

folder=a_folder_with_a_name_that_makes_the_command_line_long_enough_for_the_test
mkdir "$folder"
for k in $(seq 2400); do
    echo "Document $k has words such as word$k, word$((k + 1)) and word$((k * k)), and little more." >"$folder/$k.txt"
done
cp "$folder/7.txt" "$folder/2400.txt"

# --- thousands of paths: the record has both ends of the command
run detect -o many.h5 "$folder"/*.txt --min-copy-words 5
exits "detect with 2400 paths" 0
attribute command many.h5 >command
verdict "the record begins with the command" grep -q "detect --verbose -o many.h5 $folder/1.txt" command
verdict "the record says how much it leaves out" grep -Eq ' \[[0-9],[0-9]{3} more words\] ' command
verdict "the record has the last words" grep -q "$folder/999.txt --min-copy-words 5$" command
verdict "the record is short" [ "$(wc -c <command)" -lt 33000 ]
run show many.h5
exits "show" 0
run report -o many.html many.h5
exits "report" 0
run dedup --remove documents -o left many.h5
exits "dedup" 0
run index -o many.index "$folder"/*.txt
exits "index of 2400 paths" 0
run check --index many.index -o checked.h5 "$folder"/*.txt
exits "check of 2400 paths" 0
run compare "$folder"/7.txt "$folder"/2400.txt
exits "compare" 0
run detect -o few.h5 "$folder"/7.txt "$folder"/2400.txt
attribute command few.h5 >command
verdict "a short command is whole" grep -qx "[^ ]* detect --verbose -o few.h5 $folder/7.txt $folder/2400.txt" command

# --- a value that an attribute cannot hold is refused before the job
long=$(printf 'x%.0s' $(seq 70000))
for option in text-field keep-fields skip-same; do
    run detect --"$option" "$long" -o long.h5 "$folder"/7.txt
    exits "--$option of 70000 bytes" 2
    says "--$option of 70000 bytes" "--$option: longer than 32,000 bytes"
done
run detect --text-field "${long:0:32000}" -o long.h5 "$folder"/7.txt
exits "--text-field of 32000 bytes" 0

# --- a long path: the message says what is wrong with it
deep=deep$(printf "/${long:0:200}%.0s" $(seq 19))
mkdir -p "$deep" && cp "$folder/7.txt" "$deep/"
run detect -o deep.h5 "$deep/7.txt" "$folder/7.txt"
exits "a path of 3800 bytes" 0
says "a path of 3800 bytes" "7.txt: byte 0: document id of 3"
run detect -o deep.h5 "$deep/none.txt"
exits "no file at a path of 3800 bytes" 1
says "no file at a path of 3800 bytes" "none.txt: No such file or directory"
finish
