#!/bin/bash
# Other processors: pardup is built for arm64, and its unit tests and collections run there and on lesser x86-64 processors,
# emulated by qemu. A result must have the same bytes as on this machine. A big-endian processor must be refused.
# usage: scripts/check/processors.sh [PROCESSOR...]
# PROCESSOR: arm64, arm64-plain (the same without SIMDe), s390x (big-endian), or a model of qemu's x86-64. Without any:
# arm64, arm64-plain, Haswell (AVX2), Nehalem (no AVX), core2duo (no AVX, no popcnt), s390x. A row of results for each.
#   PROCESSORS_FOLDER    keeps libraries, builds and logs for the next call (about 1.5 GB) [temporary folder]
#   PROCESSORS_TESTS     pattern of the unit tests to run [all]
#   PROCESSORS_SECONDS   of one test, and of one command [1200]
# As root on a Debian machine, x86-64; packages that are missing are installed. Libraries for arm64 come from this machine's
# own source of packages and are only unpacked in the folder: nothing is configured, and no package of this machine changes.
# Emulation is 10 to 30 times slower: half an hour for a processor on two cores. Speed cannot be measured in this way.
# Left out: tests/cli and tests/invariance, whose scripts start the program many times. Programs of other processors run
# through the qemu of this machine, also below its mpirun, so the kernel needs no entry for them.
set -eu
cd "$(dirname "$0")/../.."
top=$PWD
. scripts/packages.sh
export PARDUP_MPI_KIND=${PARDUP_MPI_KIND:-}
. tests/support/mpi_env.sh
export OMPI_MCA_btl_vader_single_copy_mechanism=none PMIX_MCA_gds=hash # emulators cannot read each other's memory
seconds=${PROCESSORS_SECONDS:-1200}
if [ $# -eq 0 ]; then set -- arm64 arm64-plain Haswell Nehalem core2duo s390x; fi

left_out() {
    echo "left out: $*"
    exit 77
}
[ "$(uname -m)" = x86_64 ] || left_out "the results to compare with are those of an x86-64"
grep -q '^ID=debian' /etc/os-release || left_out "the cross compiler and libraries for arm64 come from a Debian machine"

work=${PROCESSORS_FOLDER:-}
if [ -z "$work" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"
work=$(realpath "$work")
arm=$work/arm64 # libraries
triple=aarch64-linux-gnu

# ---- builds ----

# Unpack the libraries for arm64. apt-get has its state in the folder, where no package is installed yet.
get_libraries() {
    [ ! -e "$arm/.ready" ] || return 0
    mkdir -p "$arm"/etc/apt "$arm"/var/{lib/dpkg,lib/apt/lists/partial,cache/apt/archives/partial}
    : >"$arm/var/lib/dpkg/status"
    local apt=(apt-get -qq -o Dir::State="$arm/var/lib/apt" -o Dir::State::status="$arm/var/lib/dpkg/status"
        -o Dir::Cache="$arm/var/cache/apt" -o APT::Architecture=arm64 -o APT::Architectures=arm64
        -o APT::Sandbox::User=root -o APT::Keep-Downloaded-Packages=true)
    "${apt[@]}" update >/dev/null
    "${apt[@]}" install -y --download-only --no-install-recommends libc6-dev libsimde-dev libcunit1-dev \
        "${LIBRARIES[@]}" >"$work/arm64.packages.log" 2>&1
    local deb
    for deb in "$arm"/var/cache/apt/archives/*.deb; do
        dpkg-deb -x "$deb" "$arm"
    done
    rm -rf "$arm"/var/cache/apt
    touch "$arm/.ready"
}

# wrapper FILE COMPILE LINK: a compiler for arm64 that answers CMake's questions as those of MPI and HDF5 do.
wrapper() {
    cat >"$1" <<EOF
#!/bin/sh
case "\$1" in
-showme:compile) echo "$2" ;;
-showme:link) echo "$3" ;;
-show) echo "$triple-gcc $2 $3" ;;
-show*) exit 1 ;;
*) exec $triple-gcc --sysroot=$arm $2 "\$@" $3 ;;
esac
EOF
    chmod +x "$1"
}

# build_arm64 NAME [CMake options...]
build_arm64() {
    local name=$1 lib=$arm/usr/lib/$triple include=$arm/usr/include
    shift
    local build=$work/$name
    get_libraries
    mkdir -p "$build"
    wrapper "$build/mpicc" "-I$lib/openmpi/include" "-L$lib/openmpi/lib -lmpi"
    wrapper "$build/h5cc" "-I$include/hdf5/serial" "-L$lib/hdf5/serial -lhdf5 -lm"
    PKG_CONFIG_LIBDIR=$lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$arm cmake --preset release -B "$build" \
        -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=$triple-gcc -DCMAKE_SYSROOT="$arm" \
        -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY \
        -DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DMPI_C_COMPILER="$build/mpicc" \
        -DHDF5_C_COMPILER_EXECUTABLE="$build/h5cc" -DPARDUP_WERROR=ON "$@" >"$build.log" 2>&1 &&
        cmake --build "$build" >>"$build.log" 2>&1 && return 0
    grep -E 'error|Error' "$build.log" | head -n 3
    return 1
}

# ---- what runs ----

# only_limits LOG: what failed needs a limit on address space, which qemu does not set.
only_limits() {
    [ "$(grep FAILED "$1" | tr -d '\n')" = "  Test: test_copied ...FAILED" ]
}
export -f only_limits

# run_tests BUILD LOGS EMULATOR...: prints "PASSED of ALL", and the names of those that fail.
run_tests() {
    local build=$1 logs=$2
    shift 2
    mkdir -p "$logs"
    rm -f "$logs"/*.log "$logs"/*.passed
    (cd "$logs" && sed -n 's/^ *pd_test(unit\/\([a-z_0-9]*\) .*/\1/p' \
        "$top/tests/CMakeLists.txt" | sort -u | grep -E "${PROCESSORS_TESTS:-.}" | xargs -P "$(nproc)" -I{} bash -c '
            name=$0 program=$1; shift
            if timeout '"$seconds"' "$@" "$program" >"$name.log" 2>&1 || only_limits "$name.log"; then touch "$name.passed"; fi' \
        {} "$build/tests/{}" "$@") </dev/null
    echo "$(find "$logs" -name '*.passed' | wc -l) of $(find "$logs" -name '*.log' | wc -l)"
    local log
    for log in "$logs"/*.log; do
        [ -e "${log%.log}.passed" ] || echo "  failed: $(basename "$log" .log): $(grep -m 1 -iE 'error|fail|signal' "$log" || tail -n 1 "$log")"
    done
}

# run_ranks BUILD LOGS EMULATOR...: the tests of tests/mpi on 1 and on 2 ranks
run_ranks() {
    local build=$1 logs=$2 name ranks passed=0 all=0
    shift 2
    mkdir -p "$logs"
    for name in test_comm test_exchange test_writer test_holders; do
        for ranks in 1 2; do
            all=$((all + 1))
            if (cd "$logs" && timeout "$seconds" "${on_ranks[@]}" "$ranks" "$@" "$build/tests/$name" \
                >"$name.$ranks.mpi" 2>&1 </dev/null); then
                passed=$((passed + 1))
            else
                echo "  failed: mpi/$name on $ranks ranks: $(tail -n 1 "$logs/$name.$ranks.mpi")" >&2
            fi
        done
    done
    echo "$passed of $all"
}

# Collections of this machine's documents, and made ones.
make_collections() {
    local out=$work/collections
    rm -rf "$out"
    mkdir -p "$out/pages"
    cp -RL /usr/share/common-licenses "$out/licences"
    find /usr/share/doc -type f -name '*.html' -size -200k 2>/dev/null | sort | head -n 60 | while read -r page; do
        cp "$page" "$out/pages/$(echo "${page#/usr/share/doc/}" | tr / _)"
    done
    "$PARDUP" synth --quiet --bytes 4M -o "$out/synth"
    python3 - "$out" <<'EOF'
import json, pathlib, random, sys
out = pathlib.Path(sys.argv[1])
rng = random.Random(1)
texts = [(p.name, p.read_text(errors="replace")) for p in sorted((out / "licences").iterdir())]
with open(out / "lines.jsonl", "w", encoding="utf-8") as file:
    for name, text in texts:
        file.write(json.dumps({"id": name, "text": text}, ensure_ascii=bool(len(name) % 2)) + "\n")
        quoted = rng.randrange(max(1, len(text) - 2000))
        file.write(json.dumps({"id": name + "-part", "text": f"On {name}: caf\u00e9.\n" + text[quoted:quoted + 2000]}) + "\n")
characters = [chr(0x4E00 + rng.randrange(3000)) for _ in range(800)]
def sentence():
    return "".join(rng.choices(characters, k=rng.randrange(8, 40))) + rng.choice("\u3002\uff01\uff1f\uff0c")
pool = [sentence() for _ in range(400)]
folder = out / "chinese"
folder.mkdir()
for k in range(80):
    begin = rng.randrange(380)
    parts = [sentence() for _ in range(20)] + pool[begin:begin + rng.randrange(3, 15)] + [sentence() for _ in range(20)]
    (folder / f"{k:02}.txt").write_text("".join(parts), encoding="utf-8" if k % 4 else "gb18030")
EOF
}

# make_results FOLDER PROGRAM...: the files to compare. All are made in one folder, as an index holds the path of its sources.
make_results() {
    local folder=$1 preset
    shift
    program=(timeout "$seconds" "$@")
    detect() { "${program[@]}" detect --quiet --reproducible "$@"; }
    rm -rf "$folder" "$work/results"
    mkdir "$work/results"
    cd "$work/results"
    ln -s "$work"/collections/* .
    for preset in texts edited paper web characters; do
        detect --preset $preset -o licences-$preset.h5 licences
        detect --preset $preset -o chinese-$preset.h5 chinese
    done
    detect --preset web -o pages-web.h5 synth pages
    "${on_ranks[@]}" 2 "${program[@]}" detect --quiet --reproducible -o licences-2-ranks.h5 licences
    detect --preset texts -o pages-texts.h5 pages
    detect --preset edited -o lines-edited.h5 lines.jsonl
    detect -o lines.h5 lines.jsonl
    "${program[@]}" export --quiet lines.h5 >lines.tsv
    "${program[@]}" text --quiet pages >pages.txt
    "${program[@]}" sentences --quiet chinese >chinese.jsonl
    "${program[@]}" dedup --quiet -o clean lines.h5
    "${program[@]}" index --quiet --preset texts -o licences.index licences
    "${program[@]}" check --quiet --reproducible --index licences.index -o check.h5 lines.jsonl
    "${program[@]}" synth --quiet --bytes 1M -o made
    mv "$work/results" "$folder"
}

# compare NAME EMULATOR...: "EQUAL of ALL" files, and the names of those that differ
compare() {
    local name=$1 file equal=0 all=0 differ=
    shift
    (make_results "$work/results-$name" "$@") >"$work/$name.results.log" 2>&1 || differ="  failed: $(tail -n 1 "$work/$name.results.log")
"
    while read -r file; do
        all=$((all + 1))
        if cmp -s "$work/results-here/$file" "$work/results-$name/$file"; then
            equal=$((equal + 1))
        else
            differ+="  differs: $file
"
        fi
    done < <(cd "$work/results-here" && find . -type f | sort)
    echo "$equal of $all"
    printf '%s' "$differ"
}

# The row of a processor: what is asked first, then lines about what is wrong.
row() {
    local name=$1 build=$2 ranks tests results rest
    shift 2
    tests=$(run_tests "$build" "$work/logs-$name" "$@")
    ranks=$(run_ranks "$build" "$work/logs-$name" "$@" 2>"$work/logs-$name/mpi")
    results=$(compare "$name" "$@" "$build/pardup")
    printf '%-12s unit tests %s, tests of ranks %s, files equal %s\n' "$name" "${tests%%$'\n'*}" "$ranks" "${results%%$'\n'*}"
    rest=$(sed 1d <<<"$tests"; cat "$work/logs-$name/mpi"; sed 1d <<<"$results")
    [ -z "$rest" ] || { echo "$rest"; failed=1; }
}

# Configuring for a big-endian processor must end with one clear line, and so must compiling.
refuse() {
    local says
    need_packages gcc-s390x-linux-gnu libc6-dev-s390x-cross
    rm -rf "$work/s390x"
    if cmake --preset release -B "$work/s390x" -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=s390x \
        -DCMAKE_C_COMPILER=s390x-linux-gnu-gcc >"$work/s390x.log" 2>&1; then
        echo "s390x        failed: CMake does not refuse it"; failed=1; return
    fi
    says=$(grep -o 'pardup needs a little-endian.*' "$work/s390x.log") || { echo "s390x        failed: $(tail -n 1 "$work/s390x.log")"; failed=1; return; }
    echo '#include "pardup/base/record.h"' >"$work/s390x.c"
    s390x-linux-gnu-gcc -Iinclude -c -o /dev/null "$work/s390x.c" 2>&1 | grep -q 'needs a little-endian' || says="failed: it compiles"
    case $says in failed*) failed=1 ;; esac
    printf '%-12s refused: %s\n' s390x "$says"
}

# ---- rows ----

LIBRARIES=()
for package in "${BUILD_PACKAGES[@]}"; do
    case $package in lib*-dev) LIBRARIES+=("$package") ;; esac
done
need_packages "${BUILD_PACKAGES[@]}" qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross
TARGET=pardup scripts/build.sh release >"$work/here.log" 2>&1 || { tail -n 3 "$work/here.log"; exit 1; }
here=$top/build/release
PARDUP=$here/pardup
make_collections
(make_results "$work/results-here" "$PARDUP") >"$work/here.results.log" 2>&1 || { tail -n 3 "$work/here.results.log"; exit 1; }
failed=
for processor in "$@"; do
    case $processor in
    arm64) build_arm64 arm64-build && row arm64 "$work/arm64-build" qemu-aarch64-static -L "$arm" || failed=1 ;;
    arm64-plain) build_arm64 arm64-plain-build -DPARDUP_SIMDE=OFF && row arm64-plain "$work/arm64-plain-build" qemu-aarch64-static -L "$arm" || failed=1 ;;
    s390x) refuse ;;
    *) scripts/build.sh release >>"$work/here.log" 2>&1 && row "$processor" "$here" qemu-x86_64-static -cpu "$processor" || failed=1 ;;
    esac
done
echo "left out: test_copied of test_packed, as qemu sets no limit on address space"
echo "left out: scripts of tests/cli and tests/invariance, which start the program many times; speed, which qemu does not show"
[ -z "$failed" ]
