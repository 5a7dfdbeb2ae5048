#!/bin/bash
# Starts Ceph's S3 gateway on this machine, everything in memory: one monitor, one OSD, one gateway.
#   radosgw.sh FOLDER PORT      prints 'ready', runs until it is ended, and ends the rest with it
# The key is AKID, its secret SECRET; needs the Debian packages of the task 'bucket' (Scripts/packages.txt).
set -eu
folder=$1 port=$2
mkdir -p "$folder/mon" "$folder/osd" "$folder/log"
cd "$folder"
export CEPH_CONF=$folder/ceph.conf
monitor=$((port + 1)) older=$((port + 2))
cat >ceph.conf <<END
[global]
fsid = $(cat /proc/sys/kernel/random/uuid)
mon host = [v2:127.0.0.1:$monitor,v1:127.0.0.1:$older]
public addr = 127.0.0.1
cluster addr = 127.0.0.1
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 8
mon allow pool size one = true
osd crush chooseleaf type = 0
mon pg warn min per osd = 0
mon max pg per osd = 2000
osd objectstore = memstore
memstore device bytes = 4294967296
run dir = $folder
pid file = $folder/\$name.pid
admin socket = $folder/\$name.asok
log file = $folder/log/\$name.log
keyring = $folder/keyring
mon data = $folder/mon
osd data = $folder/osd
crash dir = $folder
ms bind ipv6 = false
[client]
rgw frontends = beast endpoint=127.0.0.1:$port tcp_nodelay=1
rgw enable usage log = false
END
fsid=$(sed -n 's/^fsid = //p' ceph.conf)
children=()
trap 'kill "${children[@]}" 2>/dev/null || true' EXIT
trap 'exit 0' TERM INT
monmaptool --create --clobber --fsid "$fsid" --addv a "[v2:127.0.0.1:$monitor,v1:127.0.0.1:$older]" monmap >log/monmap.out
ceph-authtool --create-keyring keyring --gen-key -n mon. --cap mon 'allow *' >log/keys.out
ceph-authtool keyring --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *' >>log/keys.out
ceph-mon -i a --mkfs --monmap monmap --keyring keyring
ceph-mon -i a -f >log/mon.out 2>&1 &
children+=($!)
for _ in $(seq 100); do
    ceph --connect-timeout 2 mon stat >log/stat.out 2>&1 && break
    sleep 0.1
done
uuid=$(cat /proc/sys/kernel/random/uuid)
ceph-authtool osd/keyring --create-keyring --gen-key -n osd.0 >>log/keys.out 2>&1
key=$(ceph-authtool osd/keyring -n osd.0 -p)
echo "{\"cephx_secret\": \"$key\"}" | ceph osd new "$uuid" -i - >log/new.out
ceph-osd -i 0 --mkfs --keyring osd/keyring --osd-uuid "$uuid" >log/mkfs.out 2>&1
ceph-osd -i 0 --keyring osd/keyring -f >log/osd.out 2>&1 &
children+=($!)
radosgw -n client.admin --keyring keyring -f >log/gateway.out 2>&1 &
children+=($!)
for _ in $(seq 600); do
    if curl --silent --output /dev/null "http://127.0.0.1:$port/"; then
        radosgw-admin user create --uid=rig --display-name=rig --access-key=AKID --secret=SECRET >log/user.out 2>&1
        echo ready
        wait
        exit 0
    fi
    sleep 0.1
done
echo "error: the gateway does not answer; see $folder/log" >&2
exit 1
