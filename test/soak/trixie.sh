#!/bin/sh
# Makes a folder with Debian trixie and QGIS 3.40 in it, for chroot: Debian bookworm's QGIS 3.22 cannot write. It takes
# root, debootstrap, 3 GB and some minutes. Usage: trixie.sh FOLDER
set -eu
folder=$1
[ -x "$folder/usr/bin/gdal-config" ] || [ -e "$folder/usr/lib/qgis/plugins/libprovider_wfs.so" ] && exit 0
debootstrap --variant=minbase --include=ca-certificates trixie "$folder" "${DEBIAN_MIRROR:-http://deb.debian.org/debian}"
cp /etc/resolv.conf "$folder/etc/"
cp -r /etc/apt/apt.conf.d/. "$folder/etc/apt/apt.conf.d/"
chroot "$folder" apt-get update
DEBIAN_FRONTEND=noninteractive chroot "$folder" apt-get install -y --no-install-recommends python3-qgis qgis-providers gdal-bin
