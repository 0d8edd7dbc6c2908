#!/bin/sh
# Installs or upgrades Portolan on Debian 12 or later, or Ubuntu 24.04 or later, as root:
#   sh install.sh [PACKAGE]     PACKAGE: what npm installs, or a file of `npm pack`. Default: the newest portolan.
# It installs into /opt/portolan (PREFIX), and makes the command /usr/local/bin/portolan. If the system's Node is older
# than 22.18, it adds a Node of its own. MapServer and PostgreSQL's client programs come from apt. If systemd runs, it
# makes a unit, a user `portolan` and /etc/portolan/portolan.env. It never overwrites that file, and starts nothing. To
# upgrade, run it again and restart the service.
set -eu

package=${1:-portolan}
prefix=${PREFIX:-/opt/portolan}
version=${NODE_VERSION:-24}
here=$(cd "$(dirname "$0")" && pwd)

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

is_enough() {
  [ -n "$1" ] && "$1" -e 'const [major, minor] = process.versions.node.split("."); process.exit(major * 100 + +minor >= 2218 ? 0 : 1)'
}

[ "$(id -u)" = 0 ] || fail "must be run as root"
command -v apt-get >/dev/null || fail "needs apt: elsewhere install MapServer, Node 22.18 or later, and npm install $package"
case $package in
  */* | *.tgz) [ ! -e "$package" ] || package=$(realpath "$package") ;;
esac

packages="ca-certificates cgi-mapserver postgresql-client"
command -v npm >/dev/null || packages="$packages npm"
export DEBIAN_FRONTEND=noninteractive
apt-get --quiet update
# shellcheck disable=SC2086 # a list of words
apt-get --quiet install --yes --no-install-recommends $packages

mkdir -p "$prefix"
if is_enough "$(command -v node)"; then
  node=$(command -v node)
  npm install --prefix "$prefix" --omit=dev --no-audit --no-fund --loglevel=error "$package"
else
  # a Node that is too old for the service can still run npm
  npm install --prefix "$prefix" --omit=dev --no-audit --no-fund --loglevel=error "$package" "node@$version"
  node=$prefix/node_modules/.bin/node
fi
cat >"$prefix/portolan" <<EOF
#!/bin/sh
exec $node $prefix/node_modules/portolan/server/setup/portolan.mjs "\$@"
EOF
chmod 755 "$prefix/portolan"
mkdir -p /usr/local/bin
ln -sf "$prefix/portolan" /usr/local/bin/portolan

if [ -d /run/systemd/system ] || [ -n "${WITH_SERVICE:-}" ]; then
  getent passwd portolan >/dev/null || useradd --system --user-group --home-dir /nonexistent --shell /usr/sbin/nologin portolan
  mkdir -p /etc/portolan
  if [ ! -e /etc/portolan/portolan.env ]; then
    cp "$here/systemd/portolan.env" /etc/portolan/portolan.env
    chown root:portolan /etc/portolan/portolan.env
    chmod 640 /etc/portolan/portolan.env # it has passwords
  fi
  cp "$here/systemd/portolan.service" /etc/systemd/system/portolan.service
  [ ! -d /run/systemd/system ] || systemctl daemon-reload
  echo "Say in /etc/portolan/portolan.env which database, then: systemctl enable --now portolan"
fi
"$prefix/portolan" --version # /usr/local/bin is not in every PATH
