# Bash completion of pardup: commands, options, choices of options, files.
# scripts/package/manual.py fills in what `pardup COMMAND --help all` says.

_pardup_options() { # _pardup_options COMMAND
    case $1 in
@OPTIONS@
    esac
}

# What completes the value of an option: words, @files, or nothing; status 1: the option takes no value.
_pardup_values() { # _pardup_values COMMAND OPTION
    case $1:$2 in
@VALUES@
    *) return 1 ;;
    esac
}

_pardup() {
    local commands="@COMMANDS@" word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="$commands help --help --version"
    elif [ "$command" = help ]; then
        [ "$COMP_CWORD" -eq 2 ] && words="$commands method" || words=all
    else
        # --name=value comes as three words
        [ "$word" != = ] || word=
        [ "$before" != = ] || before=${COMP_WORDS[COMP_CWORD - 2]}
        if words=$(_pardup_values "$command" "$before"); then
            : # the value of the option before
        elif [ "${word#-}" != "$word" ]; then
            words=$(_pardup_options "$command")
        else
            words=@files
        fi
    fi
    if [ "$words" = @files ]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    fi
}

complete -F _pardup pardup
