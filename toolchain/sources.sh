# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Finds the sources of the tools. Searches tarballs in the folder $SKERRY_SOURCES if it is set, otherwise in /usr/src,
# where the distribution's source packages put them. If there is no tarball, downloads the source package from the
# distribution's archive and unpacks it. This needs no root rights.

# Versions of GCC with which the tools were tested, in order of preference. The first version that is available is used,
# so that most machines build the same code.
gcc_tried="12 13 14 11"
gcc_untried=yes  # no: another version is never used

apt_private=()  # options with which apt keeps its lists in a private folder; empty until keep_apt_private is called

# package_of COMPONENT: prints the name of the component's source package. For GCC, prints the first available package
# of a tested version, or the newest version if no tested version is available.
package_of() {
    local version known
    command -v apt-cache >/dev/null || return 1
    case $1 in
    gcc)
        known=$(apt-cache "${apt_private[@]}" pkgnames gcc- | sed -n 's/^gcc-\([0-9]*\)-source$/\1/p' | sort -rn)
        [ "$gcc_untried" = yes ] || known=$(grep -x "$gcc_tried" <<<"$known" || true)
        for version in $gcc_tried $known; do
            if grep -qx "$version" <<<"$known"; then
                echo "gcc-$version-source"
                return
            fi
        done
        return 1
        ;;
    *) [ -n "$(apt-cache "${apt_private[@]}" pkgnames "$1-source")" ] && echo "$1-source" ;;
    esac
}

# local_tarball COMPONENT: prints the path of a tarball that is already on this machine.
local_tarball() {
    local folder file folders=()
    if [ -n "${SKERRY_SOURCES:-}" ]; then
        folders=("$SKERRY_SOURCES")
    elif [ "$1" = gcc ]; then
        # shellcheck disable=SC2086
        mapfile -t folders < <(printf '/usr/src/gcc-%s\n' $gcc_tried)
    else
        folders=("/usr/src/$1")
    fi
    for folder in "${folders[@]}"; do
        for file in "$folder/$1"-[0-9]*.tar.*; do
            if [ -f "$file" ]; then
                echo "$file"
                return
            fi
        done
    done
    return 1
}

# version_of COMPONENT: prints the version, which is part of the tarball's name (gcc-12.2.0-dfsg.tar.xz) or of the
# package's version (12.2.0-14+deb12u1).
version_of() {
    local file package version
    if file=$(local_tarball "$1"); then
        file=${file##*/"$1"-}
        version=${file%%.tar.*}
    else
        package=$(package_of "$1") || return
        version=$(apt-cache "${apt_private[@]}" show --no-all-versions "$package" | sed -n 's/^Version: *//p')
        version=${version#*:}
    fi
    echo "${version%%[-+~]*}"
}

# keep_apt_private FOLDER: makes apt download its lists of packages into FOLDER and use these lists from now on. Needed
# if the lists of this machine are empty or out of date. Does not change the lists of this machine.
keep_apt_private() {
    apt_private=(-o "Dir::State::Lists=$1/lists" -o "Dir::Cache=$1/cache" -o APT::Sandbox::User=root)
    mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
    apt-get -qq "${apt_private[@]}" update
}

# download PACKAGE: downloads a package into the current folder.
download() {
    apt-get -q -o APT::Sandbox::User=root "${apt_private[@]}" download "$1"
}

# fetch_tarball COMPONENT FOLDER: puts the tarball, or a link to it, into FOLDER.
fetch_tarball() {
    local file package unpacked=$2/$1.package
    if file=$(local_tarball "$1"); then
        ln -sf "$(readlink -f "$file")" "$2"
        return
    fi
    package=$(package_of "$1")
    rm -rf "$unpacked"
    mkdir "$unpacked"
    (cd "$unpacked" && { download "$package" || { keep_apt_private "$PWD/../apt" && download "$package"; }; })
    dpkg-deb -x "$unpacked"/*.deb "$unpacked"
    mv "$unpacked"/usr/src/*/"$1"-[0-9]*.tar.* "$2"
    rm -rf "$unpacked"
}
