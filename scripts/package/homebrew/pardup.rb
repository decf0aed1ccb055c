# Formula for Homebrew on Linux. Not built: there was no Homebrew. Read by `ruby -c`; the test was run with a stand-in for Formula.
# The sum is that of pardup-0.2.0.tar.gz in SHA256SUMS of the release; the address is where that file lies. Both are set with
#   HOMEBREW_PARDUP_URL=... HOMEBREW_PARDUP_SHA256=... brew install --formula scripts/package/homebrew/pardup.rb
# pardup needs Linux (signalfd, memfd_create), so macOS is left out.
class Pardup < Formula
  desc "Find partial duplicates in large text collections"
  url ENV.fetch("HOMEBREW_PARDUP_URL", "file:///path/to/pardup-0.2.0.tar.gz")
  version "0.2.0"
  sha256 ENV.fetch("HOMEBREW_PARDUP_SHA256", "")
  license "BSD-3-Clause"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "python@3.13" => :build # man pages and completion
  depends_on "brotli"
  depends_on "hdf5"
  depends_on "icu4c@78"
  depends_on "isa-l"
  depends_on "jansson"
  depends_on "libdeflate"
  depends_on :linux
  depends_on "nettle"
  depends_on "open-mpi"
  depends_on "uchardet"
  depends_on "utf8proc"
  depends_on "xxhash"
  depends_on "zstd"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DBUILD_TESTING=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    text = (1..12).map { |k| "Sentence number w#{k} speaks of x#{k} in its own words.\n" }.join
    (testpath/"in/one.txt").write text
    (testpath/"in/two.txt").write text
    system bin/"pardup", "detect", "-j", "1", "-o", "out.h5", "in"
    rows = shell_output("#{bin}/pardup export --table passages out.h5")
    assert_equal 2, rows.lines.count
  end
end
