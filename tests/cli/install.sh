#!/bin/bash
# What `cmake --install` puts where, man pages, completion, `uninstall`, objects of two folders, and the Debian package.
. "$(dirname "$0")/lib.sh"
build=$(cd "$(dirname "$PARDUP")" && pwd)
if [ ! -f "$build/CMakeCache.txt" ] || [ ! -f "$build/manual/pardup.bash" ] || ! command -v cmake >/dev/null; then
    echo "not in a folder of cmake with man pages: nothing to install from"
    exit 77
fi
# the list of an installation by the user stays
[ ! -e "$build/install_manifest.txt" ] || cp "$build/install_manifest.txt" manifest
put_back() {
    [ ! -e "$work/manifest" ] || cp "$work/manifest" "$build/install_manifest.txt"
    rm -rf "$work"
}
trap put_back EXIT
export DESTDIR=$work/stage
top=$DESTDIR/opt/pardup-test
has() { verdict "$1 is installed" [ -s "$top/$1" ]; }

cmake --install "$build" --prefix /opt/pardup-test >out 2>err
verdict "cmake --install" [ $? -eq 0 ]
for file in bin/pardup share/man/man1/pardup.1 share/man/man1/pardup-detect.1 share/bash-completion/completions/pardup \
    share/pardup/slurm/detect.sbatch share/pardup/pardup.py share/pardup/pardup.R share/doc/pardup/copyright \
    share/doc/pardup/docs/usage.md; do
    has "$file"
done
cp "$build/install_manifest.txt" listed
sentences 1 12 >one.txt
cp one.txt two.txt
PARDUP=$top/bin/pardup
run detect -o two.h5 one.txt two.txt
exits "the installed program" 0

# the job array looks for detect.sbatch in the folder of the call, where it is not, then beside itself
PATH=$top/bin:$PATH SLURM_ARRAY_TASK_ID=1 SLURM_JOB_ID=1 SLURM_SUBMIT_DIR=$work SLURM_JOB_NUM_NODES=1 SLURM_NTASKS=1 LAUNCH=env PARDUP=pardup \
    bash "$top/share/pardup/slurm/array.sbatch" results one.txt >out 2>err
verdict "the installed job array" [ -s results/one.txt.h5 ]

SLURM_JOB_ID=1 SLURM_SUBMIT_DIR=$work SLURM_JOB_NUM_NODES=1 SLURM_NTASKS=1 PATH=/usr/bin:/bin PARDUP=$work/none \
    bash "$top/share/pardup/slurm/detect.sbatch" out.h5 one.txt >out 2>err
status=$?
exits "a batch job without the program" 2
says "a batch job without the program" "no program pardup"
for script in "detect.sbatch out.h5 one.txt" "array.sbatch results one.txt"; do
    env -i PATH=/usr/bin:/bin SLURM_ARRAY_TASK_ID=1 bash "$top/share/pardup/slurm/"$script >out 2>err
    status=$?
    exits "$script outside Slurm" 2
    says "$script outside Slurm" "sbatch"
    verdict "$script outside Slurm: one line" [ "$(wc -l <err)" -eq 1 ]
done

commands=$("$PARDUP" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
verdict "a page for each command" [ "$(ls "$top/share/man/man1" | wc -l)" -eq $(($(echo "$commands" | wc -l) + 1)) ]
for page in "$top"/share/man/man1/*.1; do
    ! command -v man >/dev/null || man --warnings -E UTF-8 -Tutf8 -l "$page" >rendered 2>err
    ! command -v man >/dev/null || verdict "man has no warning about ${page##*/}" [ ! -s err ]
    ! command -v mandoc >/dev/null || verdict "mandoc has nothing to say about ${page##*/}" mandoc -Tlint "$page"
done
all_help() { # all_help COMMAND: its options, and the parameters of methods if it takes them
    "$PARDUP" $1 --help all
    ! "$PARDUP" $1 --help all | grep -q "pardup help method" || "$PARDUP" help method
}
for option in $(all_help detect | sed -n 's/^  \(-[a-z0-9], \)\{0,1\}--\([a-z-]*\).*/\2/p'); do
    verdict "pardup-detect.1 has --$option" grep -qF -- "--$option" <(sed 's/\\-/-/g' "$top/share/man/man1/pardup-detect.1")
done

complete_line() { # complete_line WORD...: what completion offers for the last word
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pardup; printf "%s\n" "${COMPREPLY[@]}"' \
        - "$top/share/bash-completion/completions/pardup" "$@" >out 2>err
}
offers() { # offers NAME LINE...: all lines, and no other
    local name=$1
    shift
    verdict "completion: $name" [ "$(sort out)" = "$(printf '%s\n' "$@" | sort)" ]
    verdict "completion: $name: silent" [ ! -s err ]
}
complete_line pardup det
offers "a command" detect
complete_line pardup detect --pre
offers "an option" --preset
for command in $commands; do
    complete_line pardup $command --
    verdict "completion: every option of $command" [ "$(sort out)" = "$({ echo --help; all_help $command; } | sed -n 's/^\(  \|  -[a-z0-9], \|\)\(--[a-z-]*\).*/\2/p' | sort)" ]
done
complete_line pardup detect --preset ""
offers "choices" auto web texts code characters edited paper
complete_line pardup detect --preset = te
offers "choices behind =" texts
complete_line pardup detect -o tw
offers "files behind an option" two.h5 two.txt
complete_line pardup show tw
offers "files" two.h5 two.txt
complete_line pardup detect --gamma ""
offers "nothing for a number" ""
complete_line pardup help comp
offers "help" compare
complete_line pardup show --for
offers "no option of another command" ""

cmake --build "$build" --target uninstall >out 2>err
verdict "uninstall" [ $? -eq 0 ]
verdict "uninstall leaves no file" [ -z "$(find "$DESTDIR" -type f -o -type l)" ]
verdict "uninstall leaves no folder of pardup" [ -z "$(find "$top" -mindepth 1 -name pardup)" ]
cmake --build "$build" --target uninstall >out 2>&1
verdict "uninstall twice" [ $? -ne 0 ]
verdict "uninstall twice: says why" grep -q "nothing has been installed" out

# ---- objects do not depend on the folders of sources and build ----
objects="pd_base.dir/src/base/error.c pd_base.dir/src/base/memory.c pd_comm.dir/src/comm/comm.c pd_app.dir/src/app/help.c
    pd_app.dir/report_html.c"
generator=$(sed -n 's/^CMAKE_GENERATOR:[A-Z]*=//p' "$build/CMakeCache.txt")
if [ "$generator" = Ninja ]; then
    for folder in first/place second/place/elsewhere; do
        mkdir -p "$folder"
        cp -R "$here"/../../{CMakeLists.txt,src,include,scripts,slurm,docs} "$here"/../../*.md "$here"/../../{LICENSE,CITATION.cff} "$folder"
        cmake -S "$folder" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O1 -g" \
            -DBUILD_TESTING=OFF >out 2>err &&
            cmake --build "$folder/build" --target $(for object in $objects; do echo "CMakeFiles/$object.o"; done) >>out 2>>err
        verdict "objects in $folder" [ $? -eq 0 ]
    done
    for object in $objects; do
        verdict "two builds from two folders: $object" cmp {first/place,second/place/elsewhere}/build/CMakeFiles/$object.o
    done
else
    echo "generator $generator: objects are not compared"
fi

unset DESTDIR
if command -v cpack >/dev/null && command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null && command -v file >/dev/null; then
    (cd "$build" && timeout 120 cpack -G DEB -B "$work/deb") >out 2>err
    verdict "cpack" [ $? -eq 0 ]
    dpkg-deb -I deb/pardup_*.deb >out
    prints "package" "Package: pardup"
    prints "package: libraries" "libisal2"
    needed=$(readelf -d "$build/pardup" | grep NEEDED)
    case $needed in
    *libhdf5_openmpi* | *libhdf5_mpich*) ;;
    *) verdict "package: no HDF5 with MPI" [ -z "$(grep -E 'libhdf5-(openmpi|mpich)' out)" ] ;;
    esac
    case $needed in
    *libmpich*) prints "package: mpirun" " mpich" ;;
    *libmpi*) prints "package: mpirun" "openmpi-bin" ;;
    *) verdict "package: no mpirun" [ -z "$(grep -E 'openmpi-bin| mpich' out)" ] ;;
    esac
    dpkg-deb -c deb/pardup_*.deb >out
    for file in usr/bin/pardup usr/share/man/man1/pardup-detect.1.gz usr/share/doc/pardup/copyright \
        usr/lib/python3/dist-packages/pardup.py usr/share/pardup/slurm/detect.sbatch; do
        prints "package" "./$file"
    done
    mkdir -p root/var/lib/dpkg/info root/var/lib/dpkg/updates
    touch root/var/lib/dpkg/status root/var/lib/dpkg/available
    if [ "$(id -u)" = 0 ]; then # into a folder of its own, without the packages that it depends on
        dpkg --root="$work/root" --log=/dev/null --force-depends -i deb/pardup_*.deb >out 2>err
        verdict "dpkg -i" [ $? -eq 0 ]
        PARDUP=root/usr/bin/pardup
        run detect -o dpkg.h5 one.txt two.txt
        exits "the program that dpkg installed" 0
        dpkg --root="$work/root" --log=/dev/null -r pardup >out 2>err
        verdict "dpkg -r" [ $? -eq 0 ]
        verdict "dpkg -r leaves nothing" [ -z "$(find root -path root/var -prune -o -type f -print)" ]
    fi
    dpkg-deb -x deb/pardup_*.deb unpacked
    PARDUP=unpacked/usr/bin/pardup
    run --version
    exits "the packed program" 0
    verdict "the packed program: no search path" [ -z "$(readelf -d "$PARDUP" | grep -E 'R(UN)?PATH')" ]
else
    echo "no dpkg-dev or file: the Debian package is not made"
fi
finish
