# Copyright The pardup developers. BSD 3-clause licence, see LICENSE.
from spack.package import *

try:  # Spack 1.0 and later
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:
    pass


class Pardup(CMakePackage):
    """Find partial duplicates in large text collections: passages that two documents share, word for word or
    nearly, and where each passage lies in both documents. A batch program for MPI that also runs without."""

    # Not run by Spack; the two tests were run with a stand-in for Spack's functions.
    # In the folder of the source, with an active environment:
    #   spack repo add scripts/package/spack
    #   spack develop --path "$PWD" pardup@main
    #   spack add pardup && spack install && spack test run pardup
    git = "file:///path/to/pardup"  # `spack develop` takes the folder instead

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("mpi", default=True, description="Several ranks; without: one")
    variant("icu", default=True, description="Words of Chinese and Japanese text by ICU (--words icu)")

    depends_on("c", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("mpi", when="+mpi")
    depends_on("hdf5")  # one rank writes the result, so a serial HDF5 does
    depends_on("hdf5~mpi", when="~mpi")
    depends_on("iconv")
    depends_on("zstd")
    depends_on("libdeflate")
    depends_on("brotli")
    depends_on("isa-l")
    depends_on("xxhash")
    depends_on("utf8proc")
    depends_on("uchardet")
    depends_on("jansson")
    depends_on("nettle")
    depends_on("icu4c", when="+icu")

    def cmake_args(self):
        return [self.define("BUILD_TESTING", False), self.define_from_variant("PARDUP_MPI", "mpi"),
                self.define_from_variant("PARDUP_ICU", "icu")]

    def setup_run_environment(self, env):
        env.prepend_path("PYTHONPATH", self.prefix.share.pardup)

    def test_version(self):
        """The program starts and says its version."""
        pardup = which(self.prefix.bin.pardup)
        assert "pardup" in pardup("--version", output=str.split, error=str.split)

    def test_detect(self):
        """Two equal texts share a passage."""
        pardup = which(self.prefix.bin.pardup)
        text = " ".join(f"Sentence number w{k} speaks of x{k} in its own words." for k in range(12))
        for name in ("one.txt", "two.txt"):
            with open(name, "w") as file:
                file.write(text)
        pardup("detect", "-j", "1", "-o", "out.h5", "one.txt", "two.txt")
        rows = pardup("export", "--table", "passages", "out.h5", output=str.split, error=str.split)
        assert len(rows.splitlines()) == 2
