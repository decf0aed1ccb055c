#!/usr/bin/env python3
"""The libraries of a release: what is put beside the program, with licences, and the parts list of all files.

    libraries.py copy FOLDER BUILD...
        Copy shared libraries that no glibc system has by itself to FOLDER/lib, and the licence texts of all
        libraries inside the programs of the build folders to FOLDER/share/doc/pardup/licences.
    libraries.py spdx VERSION COMMIT FOLDER [FILE=BUILD[,BUILD]]...
        Print a parts list (SPDX 2.3, JSON) of the files of FOLDER. FILE was made from the programs of these build
        folders; what a Debian package depends on stands in the package itself.

What is linked comes from the link line of each build folder (build.ninja); names, versions and licences from dpkg.
SOURCE_DATE_EPOCH is the date of the list.
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

# Name of the library: the Debian packages it comes in, its licence in SPDX's words, and the same in the words of
# Debian's copyright file; None: that file has another form.
LIBRARIES = {
    "brotli": ("libbrotli", "MIT", "MIT"),
    "gcc": ("libgcc|libstdc\\+\\+", "GPL-3.0-or-later WITH GCC-exception-3.1", None),
    "glibc": ("libc6", "LGPL-2.1-or-later", None),
    "hdf5": ("libhdf5", "BSD-3-Clause", "BSD-3-clause"),
    "icu": ("libicu", "Unicode-DFS-2016", "MIT"),
    "isa-l": ("libisal", "BSD-3-Clause", "BSD-3-clause"),
    "jansson": ("libjansson", "MIT", "Expat"),
    "libaec": ("libaec|libsz", "BSD-2-Clause", None),
    "libdeflate": ("libdeflate", "MIT", "Expat"),
    "openmpi": ("libopenmpi|openmpi", "BSD-3-Clause-Open-MPI", None),
    "uchardet": ("libuchardet", "MPL-1.1 OR GPL-2.0-or-later OR LGPL-2.1-or-later", "MPL-1.1 or GPL-2+ or LGPL-2.1+"),
    "utf8proc": ("libutf8proc", "MIT", "Expat"),
    "xxhash": ("libxxhash", "BSD-2-Clause", "BSD-2-clause"),
    "zlib": ("zlib1g", "Zlib", "Zlib"),
    "zstd": ("libzstd", "BSD-3-Clause OR GPL-2.0-only", "BSD-3-clause or GPL-2"),
}
SYSTEM = re.compile(r"lib(c|m|dl|gcc_s|mpi)\.so|ld-linux")  # every glibc system has it, or whoever has Open MPI


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def library_of(package):
    for name, (packages, _, _) in LIBRARIES.items():
        if re.match(packages, package):
            return name
    sys.exit(f"libraries.py: {package}: add it to LIBRARIES, with its licence")


def package_of(path):
    """The Debian package that has installed a file; / and /usr are one on merged systems."""
    for name in (os.path.realpath(path), path, re.sub("^/usr", "", os.path.realpath(path))):
        found = subprocess.run(["dpkg", "-S", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    sys.exit(f"libraries.py: {path} belongs to no package")


def linked(build):
    """Paths of all libraries on the link line of the program, archives and shared ones."""
    text = (pathlib.Path(build) / "build.ninja").read_text()
    line = re.search(r"^build pardup:.*?^  LINK_LIBRARIES = (.*?)$", text, re.M | re.S)[1]
    paths = []
    for word in line.split():
        if word.startswith("/"):
            paths.append(word)
        elif word.startswith("-l:"):
            paths.append(output("gcc", "-print-file-name=" + word[3:]).strip())
    return sorted(set(os.path.normpath(path) for path in paths))


def copyright_of(package):
    return pathlib.Path(f"/usr/share/doc/{package}/copyright")


def check_licence(name, package):
    """The licence of LIBRARIES is that of Debian's copyright file, where the file can be read by a program."""
    expected = LIBRARIES[name][2]
    found = re.search(r"^Files: *\*\n(?:.+\n)*?License: *(.*)$", copyright_of(package).read_text(errors="replace"), re.M)
    if expected and (not found or found[1] != expected):
        sys.exit(f"libraries.py: {package}: licence {found and found[1]}, not {expected}: mend LIBRARIES")


def copy(folder, builds):
    licences = folder / "share/doc/pardup/licences"
    licences.mkdir(parents=True)
    (folder / "lib").mkdir()
    for path in sorted({path for build in builds for path in linked(build)}):
        shared = ".so" in os.path.basename(path)
        if shared and SYSTEM.match(os.path.basename(path)):
            continue
        if shared:
            name = re.search(r"SONAME.*\[(.*)\]", output("readelf", "-d", path))[1]
            shutil.copyfile(os.path.realpath(path), folder / "lib" / name)
        package = package_of(path)
        check_licence(library_of(package), package)
        shutil.copyfile(copyright_of(package), licences / library_of(package))


class List:
    """A parts list: packages and the relations between them."""

    def __init__(self, version, commit):
        date = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
        self.document = {
            "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"pardup-{version}",
            "documentNamespace": f"https://spdx.org/spdxdocs/pardup-{version}-{commit}",
            "creationInfo": {"created": date.strftime("%Y-%m-%dT%H:%M:%SZ"),
                             "creators": ["Organization: The pardup developers", f"Tool: libraries.py-{version}"]},
            "packages": [], "relationships": []}
        self.known = set()

    def add(self, name, version, licence, **more):
        """Add a package once. Returns its identifier."""
        identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{name}-{version}" if version else name)
        if identifier not in self.known:
            self.known.add(identifier)
            package = {"SPDXID": identifier, "name": name, "versionInfo": version, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
                       "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION", **more}
            self.document["packages"].append({key: value for key, value in package.items() if value})
        return identifier

    def relate(self, one, relation, other):
        row = {"spdxElementId": one, "relationshipType": relation, "relatedSpdxElement": other}
        if row not in self.document["relationships"]:
            self.document["relationships"].append(row)

    def library(self, package):
        """Add the library of an installed Debian package."""
        check_licence(library_of(package), package)
        source, version, home = output("dpkg-query", "-W", "-f", "${source:Package}\t${source:Version}\t${Homepage}\n", package).split("\n")[0].split("\t")
        where = f"pkg:deb/debian/{source}@{urllib.parse.quote(version, safe='')}?arch=source"
        return self.add(library_of(package), version, LIBRARIES[library_of(package)][1], homepage=home,
                        supplier="Organization: Debian",
                        externalRefs=[{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": where}])

    def needed(self, name, condition):
        """Add what a package for another release asks for; its version there is known by a condition only."""
        return self.add(name, "", LIBRARIES[library_of(name)][1], supplier="Organization: Debian", comment=condition)


def is_installed(package):
    found = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", package], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return found.stdout == "installed"


def add_debian(parts, identifier, path):
    """What a Debian package depends on."""
    for word in output("dpkg-deb", "-f", str(path), "Depends").strip().split(", "):
        name, _, condition = word.split(" | ")[0].partition(" ")
        here = f"deb{release()}" in path.name and is_installed(name)
        other = parts.library(name) if here else parts.needed(name, condition.strip("()"))
        parts.relate(identifier, "DEPENDS_ON", other)


def release():
    return re.search(r'^VERSION_ID="?([^"\n]*)', pathlib.Path("/etc/os-release").read_text(), re.M)[1]


def spdx(version, commit, folder, made):
    parts = List(version, commit)
    own = "BSD-3-Clause"
    top = parts.add("pardup", version, own, primaryPackagePurpose="APPLICATION", sourceInfo=f"commit {commit}")
    parts.relate("SPDXRef-DOCUMENT", "DESCRIBES", top)
    for path in sorted(folder.iterdir()):
        if path.suffix in (".md", ".json"):
            continue
        sum_ = hashlib.sha256(path.read_bytes()).hexdigest()
        licence = "NOASSERTION" if path.name in made else own # of its parts, below
        identifier = parts.add(path.name, version, licence, packageFileName=path.name, checksums=[{"algorithm": "SHA256", "checksumValue": sum_}],
                               primaryPackagePurpose="SOURCE" if path.name.endswith(".tar.gz") else "INSTALL")
        parts.relate(identifier, "GENERATED_FROM", top)
        if path.suffix == ".deb":
            add_debian(parts, identifier, path)
        for library in (library for build in made.get(path.name, []) for library in linked(build)):
            name = os.path.basename(library)
            outside = ".so" in name and SYSTEM.match(name)
            relation = "DEPENDS_ON" if outside else "CONTAINS"
            parts.relate(identifier, relation, parts.library(package_of(library)))
    json.dump(parts.document, sys.stdout, indent=1)
    print()


def main():
    if len(sys.argv) > 3 and sys.argv[1] == "copy":
        copy(pathlib.Path(sys.argv[2]), sys.argv[3:])
    elif len(sys.argv) > 4 and sys.argv[1] == "spdx":
        made = {name: builds.split(",") for name, builds in (word.split("=") for word in sys.argv[5:])}
        spdx(sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4]), made)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
