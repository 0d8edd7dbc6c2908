#!/bin/sh
# Builds Citus from a source folder, and installs it for one PostgreSQL, so that the tests of this folder are run.
# usage: build.sh SOURCE [PG_CONFIG]
#   SOURCE     a checkout or an unpacked release of citusdata/citus (tried: 13.2.2, for PostgreSQL 15 and 17). Nothing is written into it.
#   PG_CONFIG  the pg_config of the PostgreSQL that gets it; the default is the newest in /usr/lib/postgresql
# Needs the right to write into the folders of that PostgreSQL, its server headers, flex, and the headers of lz4 and zstd
# (Debian: build-essential postgresql-server-dev-15 flex liblz4-dev libzstd-dev libpam0g-dev libselinux1-dev libkrb5-dev libxslt1-dev libicu-dev).
set -eu

source=${1:?usage: build.sh SOURCE [PG_CONFIG]}
newest=$(ls -d /usr/lib/postgresql/*/bin/pg_config 2>/dev/null | sort -V | tail -n 1)
pg_config=${2:-${newest:?no pg_config below /usr/lib/postgresql: name one}}

build=$(mktemp -d "${TMPDIR:-/tmp}/citus-build.XXXXXX")
trap 'rm -rf "$build"' EXIT
cp -Rp "$source/." "$build"
cd "$build"
touch configure # a checkout has its files in any order of time, and make would ask for autoconf

# PostgreSQL 15.20 exports a function that Citus 13 defines for older ones: that definition gets another name.
if grep -q have_createdb_privilege "$("$pg_config" --includedir-server)/commands/dbcommands.h"; then
  sed -i -e 's/^have_createdb_privilege(void)$/citus_have_createdb_privilege(void)/' \
    -e 's/^#include "miscadmin.h"$/&\n#include "commands\/dbcommands.h"/' src/include/pg_version_compat.h
fi

PG_CONFIG=$pg_config nice ./configure --without-libcurl >configure.log 2>&1 || { tail -n 20 configure.log >&2; exit 1; }
# without bitcode for JIT, which takes half of the time
nice make -s -j "$(nproc)" with_llvm=no extension >make.log 2>&1 || { tail -n 40 make.log >&2; exit 1; }
make -s with_llvm=no install-extension >install.log 2>&1 || { tail -n 20 install.log >&2; exit 1; }
echo "Citus is installed in $("$pg_config" --pkglibdir)"
