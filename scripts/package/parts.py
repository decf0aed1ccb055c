#!/usr/bin/env python3
"""Print the parts list of a release (SPDX 2.3, JSON): its files, and the libraries in them or behind them.

    parts.py VERSION COMMIT FOLDER [FILE=BUILD]...

FOLDER has the files of the release. FILE was made from the program of the build folder BUILD, whose link line
(build.ninja) names the libraries. What a Debian package depends on stands in the package itself. Names, versions and
licences come from dpkg. SOURCE_DATE_EPOCH is the date of the list.
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

# Name of the library: the Debian packages it comes in, its licence in SPDX's words, and the same in the words of
# Debian's copyright file; None: that file has another form.
LIBRARIES = {
    "brotli": ("libbrotli", "MIT", "MIT"),
    "bzip2": ("libbz2", "bzip2-1.0.6", "BSD-variant"),
    "gcc": ("libgcc|libstdc\\+\\+", "GPL-3.0-or-later WITH GCC-exception-3.1", None),
    "glibc": ("libc6", "LGPL-2.1-or-later", None),
    "hdf5": ("libhdf5", "BSD-3-Clause", "BSD-3-clause"),
    "icu": ("libicu", "Unicode-DFS-2016", "MIT"),
    "isa-l": ("libisal", "BSD-3-Clause", "BSD-3-clause"),
    "jansson": ("libjansson", "MIT", "Expat"),
    "libaec": ("libaec|libsz", "BSD-2-Clause", None),
    "libarchive": ("libarchive", "BSD-2-Clause", "BSD-2-clause"),
    "libdeflate": ("libdeflate", "MIT", "Expat"),
    "lz4": ("liblz4", "BSD-2-Clause", "BSD-2-clause"),
    "nettle": ("libnettle", "LGPL-3.0-or-later OR GPL-2.0-or-later", None),
    "openmpi": ("libopenmpi|openmpi", "BSD-3-Clause-Open-MPI", None),
    "snappy": ("libsnappy", "BSD-3-Clause", "BSD-3-Clause"),
    "uchardet": ("libuchardet", "MPL-1.1 OR GPL-2.0-or-later OR LGPL-2.1-or-later", "MPL-1.1 or GPL-2+ or LGPL-2.1+"),
    "utf8proc": ("libutf8proc", "MIT", "Expat"),
    "xz": ("liblzma", "LicenseRef-public-domain", None),
    "xxhash": ("libxxhash", "BSD-2-Clause", "BSD-2-clause"),
    "zlib": ("zlib1g", "Zlib", "Zlib"),
    "zstd": ("libzstd", "BSD-3-Clause OR GPL-2.0-only", "BSD-3-clause or GPL-2"),
}
MPI = re.compile(r"libmpi\.so")  # not inside; without it there is one rank


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def library_of(package):
    for name, (packages, _, _) in LIBRARIES.items():
        if re.match(packages, package):
            return name
    sys.exit(f"parts.py: {package}: add it to LIBRARIES, with its licence")


def package_of(path):
    """The Debian package that has installed a file; / and /usr are one on merged systems."""
    for name in (os.path.realpath(path), path, re.sub("^/usr", "", os.path.realpath(path))):
        found = subprocess.run(["dpkg", "-S", name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    sys.exit(f"parts.py: {path} belongs to no package")


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
        sys.exit(f"parts.py: {package}: licence {found and found[1]}, not {expected}: mend LIBRARIES")


class List:
    """A parts list: packages and the relations between them."""

    def __init__(self, version, commit):
        date = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
        self.document = {
            "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"pardup-{version}",
            "documentNamespace": f"https://spdx.org/spdxdocs/pardup-{version}-{commit}",
            "creationInfo": {"created": date.strftime("%Y-%m-%dT%H:%M:%SZ"),
                             "creators": ["Organization: The pardup developers", f"Tool: parts.py-{version}"]},
            "packages": [], "relationships": []}
        self.known = set()

    def add(self, name, version, licence, **more):
        """Add a package once. Returns its identifier."""
        identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", "-".join(filter(None, (name, version, more.get("comment")))))
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
    for path in sorted(folder.glob("pardup[-_]*")):
        if path.suffix in (".md", ".json"):
            continue
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        licence = "NOASSERTION" if path.name in made else own  # of its parts, below
        identifier = parts.add(path.name, version, licence, packageFileName=path.name, checksums=[{"algorithm": "SHA256", "checksumValue": digest}],
                               primaryPackagePurpose="SOURCE" if path.name.endswith(".tar.gz") else "INSTALL")
        parts.relate(identifier, "GENERATED_FROM", top)
        if path.suffix == ".deb":
            add_debian(parts, identifier, path)
        if path.name in made:
            parts.relate(identifier, "DEPENDS_ON", parts.needed("libc6", ">= 2.34"))
        for library in linked(made[path.name]) if path.name in made else []:
            other = parts.library(package_of(library))
            if MPI.match(os.path.basename(library)):
                parts.relate(other, "OPTIONAL_DEPENDENCY_OF", identifier)
            else:
                parts.relate(identifier, "CONTAINS", other)
    json.dump(parts.document, sys.stdout, indent=1)
    print()


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    version, commit, folder, *made = sys.argv[1:]
    spdx(version, commit, pathlib.Path(folder), dict(word.split("=") for word in made))


if __name__ == "__main__":
    main()
