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

rm -r package
cpack --config "$SKERRY_BUILD/CPackDebugConfig.cmake" -G DEB -B "$work/package" >cpack.log 2>&1 || fail "cpack of debug information: $(cat cpack.log)"
package=$(ls package/*.deb)
[ "$(dpkg-deb --field "$package" Package)" = skerry-dbgsym ] || fail "$package: not skerry-dbgsym"
dpkg -x "$package" debug
debug_is_below "$work/debug/usr/lib/debug" root/usr/bin/oshrun "$(find root/usr/lib -name "libskerry.so.*.*.*")"
[ ! -e debug/usr/bin ] || fail "skerry-dbgsym has programs"
