"""Files larger than the limit of a request: uploaded in parts, with any fault."""

import random

from bucket import Bucket, Fault

LIMIT = 40_000
LIMITED = {"PACKTOOL_UPLOAD_LIMIT": str(LIMIT)}


def grown(lab, number: int):
    """A build with a file of six parts, one of two, and incompressible noise."""
    build = lab.folder / f"grown-{number}"
    noise = random.Random(number)
    tree = {
        "index.html": b"<!doctype html><title>large</title>\n",
        "film.bin": noise.randbytes(5 * LIMIT + 7),
        "song.bin": noise.randbytes(2 * LIMIT),
    }
    build.mkdir(exist_ok=True)
    for path, body in tree.items():
        (build / path).write_bytes(body)
    return build, tree


async def parts(lab) -> None:
    """a file above the limit is uploaded, verified and copied in parts; a failure leaves nothing"""
    build, tree = grown(lab, 1)
    words = lab.publishing(0)
    words[1] = str(build)

    def settled(name: str, bucket: Bucket, text: str) -> None:
        lab.judged(name, bucket, {}, text)
        files = bucket.files()
        site = {path[5:]: body for path, body in files.items() if path.startswith("site/")}
        lab.expect(f"{name}: site", site == tree, str(sorted(site)))
        lab.expect(f"{name}: nothing is left", not bucket.uploads, str(list(bucket.uploads)))
        probes = [path for path in files if path.startswith(".packtool/")]
        lab.expect(f"{name}: workspace", not probes, str(probes))

    async with Bucket() as bucket:
        bucket.largest = LIMIT
        status, text = await lab.run(bucket, *words)
        lab.expect("too large for one request", status == 2 and "EntityTooLarge" in text, text)

    async with Bucket() as bucket:
        bucket.largest = LIMIT
        status, text = await lab.run(bucket, *words, **LIMITED)
        lab.expect("in parts", status == 0, text)
        settled("in parts", bucket, text)
        joined = [key for key, it in bucket.objects.items() if it.etag.strip('"').endswith("-6")]
        lab.expect("six parts", len(joined) == 2, str(joined))
        package = next(it for key, it in bucket.objects.items() if key.endswith("/package.zip"))
        lab.expect("the package", package.etag.strip('"').endswith("-8"), package.etag)
        status, text = await lab.run(bucket, "verify", "s3://shop/app")
        lab.expect("verify", status == 0, text)
        begun = bucket.begun
        status, text = await lab.run(bucket, *words, **LIMITED)
        lab.expect("again", status == 0 and bucket.begun == begun, text)

    # A store that ignores the condition when joining parts: acceptable for objects, but never for a package.
    async with Bucket() as bucket:
        bucket.joins = False
        status, text = await lab.run(bucket, *words, **LIMITED)
        lab.expect("no condition", status == 2 and "its parts are joined" in text, text)
        lab.judged("no condition", bucket, {}, text)
        lab.expect("no condition: nothing is left", not bucket.uploads, str(list(bucket.uploads)))
        status, text = await lab.run(bucket, *words, "--no-conditional-writes", **LIMITED)
        lab.expect("the only publisher", status == 0, text)

    async with Bucket() as bucket:
        await lab.run(bucket, *words, **LIMITED)
        requests = len(bucket.log)
    kinds = ["twice", "reset-before", "reset-after", "500", "500-after", "200-error", "403", "404", "cut",
             "refuse"]
    # A request that fails permanently takes a minute.
    times = (1, 1000) if lab.long else (1,)
    points = [(kind, at, often) for kind in kinds for at in range(requests) for often in times]
    if not lab.long:
        points = random.Random(7).sample(points, 12)

    async def one(_: int, point: tuple) -> None:
        kind, at, often = point
        name = f"parts, {kind} at {at}, {often} times"
        fault = Fault(kind, at, often)
        async with Bucket(fault) as bucket:
            status, text = await lab.run(bucket, *words, **LIMITED)
            lab.judged(name, bucket, {}, text)
            # A proxy or libcurl may send a request twice, and only the second answer is seen.
            ends = (0,) if kind == "twice" and often == 1 else (0, 1, 2, 3)
            lab.expect(f"{name}: status", status in ends, f"{status} {text}")
            if often == 1 and kind not in ("403", "404") and status == 0:
                lab.expect(f"{name}: nothing is left", len(bucket.uploads) <= 1, str(list(bucket.uploads)))
            fault.left = 0
            status, text = await lab.run(bucket, *words, **LIMITED)
            lab.expect(f"{name}, again", status == 0, text)
            lab.judged(f"{name}, again", bucket, {}, text)

    await lab.together(points, one)
    print(f"     {len(points)} faults while files are uploaded in parts")
