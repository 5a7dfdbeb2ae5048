#!/bin/bash
# Starts OpenStack Swift with its S3 API on this machine: one account, container, object and proxy server. It
# supports no conditional writes, and answers them with 501.
#   openstack.sh FOLDER PORT      prints 'ready', runs until it is ended, and ends the rest with it
# The key is rig:rig, its secret SECRET; needs the Debian packages of the task 'openstack'
# (Scripts/packages.txt).
set -eu
folder=$1 port=$2
mkdir -p "$folder/etc" "$folder/devices/one" "$folder/log"
cd "$folder"
cat >etc/swift.conf <<END
[swift-hash]
swift_hash_path_suffix = rig
swift_hash_path_prefix = rig
[storage-policy:0]
name = one
default = yes
END
common="bind_ip = 127.0.0.1
workers = 1
user = $(id -un)
swift_dir = $folder/etc"
number=0
for kind in account container object; do
    number=$((number + 1))
    swift-ring-builder "etc/$kind.builder" create 2 1 0 >log/rings.out
    swift-ring-builder "etc/$kind.builder" add --region 1 --zone 1 --ip 127.0.0.1 --port $((port + number)) --device one --weight 1 >>log/rings.out
    swift-ring-builder "etc/$kind.builder" rebalance >>log/rings.out
    cat >"etc/$kind-server.conf" <<END
[DEFAULT]
$common
bind_port = $((port + number))
devices = $folder/devices
mount_check = false
[pipeline:main]
pipeline = $kind-server
[app:$kind-server]
use = egg:swift#$kind
END
done
filters="catch_errors gatekeeper healthcheck cache listing_formats bulk s3api tempauth copy slo dlo symlink versioned_writes"
cat >etc/proxy-server.conf <<END
[DEFAULT]
$common
bind_port = $port
[pipeline:main]
pipeline = $filters proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
END
for filter in $filters; do
    printf '[filter:%s]\nuse = egg:swift#%s\n' "$filter" "${filter/cache/memcache}" >>etc/proxy-server.conf
    case $filter in
    tempauth) echo "user_rig_rig = SECRET .admin" ;;
    s3api) echo "s3_acl = false" ;;
    cache) echo "memcache_servers = 127.0.0.1:$((port + 4))" ;;
    versioned_writes) echo "allow_object_versioning = true" ;;
    esac >>etc/proxy-server.conf
done
children=()
trap 'kill "${children[@]}" 2>/dev/null || true' EXIT
trap 'exit 0' TERM INT
memcached -u "$(id -un)" -l 127.0.0.1 -p $((port + 4)) >log/memcached.out 2>&1 &
children+=($!)
for kind in account container object proxy; do
    "swift-$kind-server" "etc/$kind-server.conf" >"log/$kind.out" 2>&1 &
    children+=($!)
done
for _ in $(seq 600); do
    if curl --silent --fail --output /dev/null "http://127.0.0.1:$port/healthcheck"; then
        echo ready
        wait
        exit 0
    fi
    sleep 0.1
done
echo "error: the proxy server does not answer; see $folder/log" >&2
exit 1
