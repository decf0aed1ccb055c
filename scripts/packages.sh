# scripts/packages.sh - sourced by build.sh and test.sh: install Debian/Ubuntu packages that are missing.

# need_packages NAME...: quick when all are there; else apt-get, through sudo for ordinary users.
need_packages() {
    local missing=() p sudo=
    for p in "$@"; do
        dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'ok installed' || missing+=("$p")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    if ! command -v apt-get >/dev/null; then
        echo "missing: ${missing[*]} (not a Debian or Ubuntu machine: install their like, then run again)" >&2
        return 1
    fi
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "missing: ${missing[*]}; need root or sudo to install them" >&2; return 1; }
        sudo="sudo"
    fi
    echo "installing: ${missing[*]}"
    $sudo apt-get update -qq
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# want_packages NAME...: the same for optional packages; without one the script goes on.
want_packages() {
    local p
    for p in "$@"; do
        need_packages "$p" || echo "without $p"
    done
}

BUILD_PACKAGES=(gcc libc6-dev cmake ninja-build pkg-config openmpi-bin libopenmpi-dev libhdf5-dev
    libzstd-dev libdeflate-dev libbrotli-dev libarchive-dev liblz4-dev libsnappy-dev libisal-dev libxxhash-dev libutf8proc-dev libuchardet-dev libjansson-dev
    nettle-dev libicu-dev libcunit1-dev python3) # Python: man pages, completion
