#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Debian package holds an installation that works, and says what it depends on.
. "$(dirname "$0")/common.sh"
for tool in dpkg dpkg-deb dpkg-shlibdeps; do
    command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
cpack --config "$SKERRY_BUILD/CPackConfig.cmake" -G DEB -B "$work/package" >cpack.log 2>&1 || fail "cpack: $(cat cpack.log)"
package=$(ls package/*.deb)
depends=$(dpkg-deb --field "$package" Depends)
case $depends in *libc6*) ;; *) fail "depends on $depends" ;; esac
[ "$(dpkg-deb --field "$package" Architecture)" = "$(dpkg --print-architecture)" ] || fail "wrong architecture"
dpkg -x "$package" root
[ -e root/usr/bin/oshrun ] || fail "no /usr/bin/oshrun in $(dpkg-deb --contents "$package")"
try_installation "$work/root/usr"
