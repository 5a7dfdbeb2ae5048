#!/usr/bin/env python3
"""Draw the shop's product pictures: small PNGs of pots, made from nothing but arithmetic.

    python3 tools/draw_images.py [NAME...]

The PNGs are committed, so the build never runs this (another zlib would give other bytes).
Each pot is a surface of revolution with tubes for handles and spouts. Points of the surface are
thrown into a depth buffer twice as fine as the picture, shaded there, then averaged down.
"""
import itertools
import math
import struct
import sys
import zlib
from pathlib import Path

SRC = Path(__file__).resolve().parent.parent / "src"
SIN, COS = math.sin(0.30), math.cos(0.30)  # the camera looks down a little
LIGHT = (-0.52, 0.62, 0.59)
HALF = (-0.32, 0.38, 0.87)  # half way between light and eye, for the gloss of the glaze

CLAY = (176, 122, 88)
CREAM, MOSS, SLATE = (238, 229, 210), (112, 132, 96), (72, 92, 112)
RUST, INK, BLUSH, SEA = (178, 84, 52), (52, 54, 62), (222, 176, 156), (96, 142, 146)


def noise(a, b):
    """A fixed pseudo-random number in 0..1 for a pair of integers."""
    n = (a * 374761393 + b * 668265263) & 0xFFFFFFFF
    n = ((n ^ (n >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((n ^ (n >> 16)) & 0xFFFF) / 65535


class Scene:
    def __init__(self, width, height, background):
        self.w, self.h = width * 2, height * 2
        self.background = background
        self.depth = [-1e9] * (self.w * self.h)
        self.cell = [None] * (self.w * self.h)
        self.shadows = []

    def splat(self, place, x, y, z, nx, ny, nz, skin, h, angle, inside):
        ox, oy, scale = place
        px = int(ox + x * scale)
        py = int(oy - (y * COS - z * SIN) * scale)
        if not (0 <= px < self.w and 0 <= py < self.h):
            return
        d = z * COS + y * SIN + oy * 0.1  # a pot lower in the picture stands nearer
        i = py * self.w + px
        if d > self.depth[i]:
            self.depth[i] = d
            # The normal is kept in camera space, where light and eye are fixed.
            self.cell[i] = (nx, ny * COS - nz * SIN, nz * COS + ny * SIN, skin, h, angle, inside)

    def lathe(self, place, outline, skin):
        """Turn an outline of (radius, height) pairs round the upright axis."""
        scale = place[2]
        points = smooth(outline)
        top = max(y for _, y in points)
        for (r0, y0), (r1, y1) in itertools.pairwise(points):
            length = math.hypot(r1 - r0, y1 - y0)
            if length == 0:
                continue
            nr, ny = (y1 - y0) / length, (r0 - r1) / length
            for s in range(max(1, math.ceil(length * scale * 1.7))):
                t = s / max(1, math.ceil(length * scale * 1.7))
                r, y = r0 + (r1 - r0) * t, y0 + (y1 - y0) * t
                steps = max(8, math.ceil(2 * math.pi * r * scale * 1.4))
                for k in range(steps):
                    a = 2 * math.pi * k / steps
                    sx, sz = math.sin(a), math.cos(a)
                    # Seen from behind the wall is the inside of the pot.
                    facing = (nr * sz) * COS + ny * SIN
                    f = 1 if facing >= 0 else -1
                    self.splat(place, r * sx, y, r * sz, f * nr * sx, f * ny, f * nr * sz,
                               skin, y, a, (top - y) if f < 0 else None)

    def tube(self, place, path, skin, height):
        """Sweep a round rod along path: a function of 0..1 to (x, y, radius)."""
        scale = place[2]
        n = 900
        for s in range(n):
            x, y, r = path(s / n)
            x2, y2, _ = path((s + 1) / n)
            dx, dy = x2 - x, y2 - y
            length = math.hypot(dx, dy) or 1
            ux, uy = -dy / length, dx / length
            steps = max(8, math.ceil(2 * math.pi * r * scale * 1.6))
            for k in range(steps):
                a = 2 * math.pi * k / steps
                c, z = math.cos(a), math.sin(a)
                self.splat(place, x + ux * c * r, y + uy * c * r, z * r, ux * c, uy * c, z,
                           skin, height + s / n * 0.6, a * 0.2, None)

    def shadow(self, place, radius):
        self.shadows.append((place, radius))

    def backdrop(self, px, py):
        r, g, b = self.background(px / self.w, py / self.h)
        dark = 0.0
        for (ox, oy, scale), radius in self.shadows:
            dx = (px - ox - 0.16 * radius * scale) / (radius * scale * 1.25)
            dy = (py - oy + 0.02 * scale) / (radius * scale * 0.42)
            q = dx * dx + dy * dy
            if q < 4:
                dark = max(dark, 0.42 * math.exp(-q * 1.6))
        dark = round(dark * 90) / 90  # the same steps in all three colours: no tinted rings
        return (r * (1 - dark), g * (1 - dark), b * (1 - dark))

    def pixels(self):
        """Shade and average down to the final size; yields one bytes row at a time."""
        for py in range(0, self.h, 2):
            row = bytearray()
            for px in range(0, self.w, 2):
                sums = [0.0, 0.0, 0.0]
                pot = False
                for qy in (py, py + 1):
                    for qx in (px, px + 1):
                        c = self.cell[qy * self.w + qx]
                        rgb = shade(c) if c else self.backdrop(qx, qy)
                        pot = pot or c is not None
                        for k in range(3):
                            sums[k] += rgb[k]
                # Steps of four levels make the file much smaller; on a glaze the eye does not see them.
                step = 4 if pot else 1
                row += bytes(min(252, round(v / 4 / step) * step) for v in sums)
            yield bytes(row)


def shade(cell):
    nx, ny, nz, skin, h, angle, inside = cell
    r, g, b = skin(h, angle)
    lambert = max(0.0, nx * LIGHT[0] + ny * LIGHT[1] + nz * LIGHT[2])
    light = 0.46 + 0.62 * lambert
    if inside is not None:
        light *= max(0.42, 0.9 - inside * 0.7)
    gloss = max(0.0, nx * HALF[0] + ny * HALF[1] + nz * HALF[2]) ** 42 * 46
    return (r * light + gloss, g * light + gloss, b * light + gloss)


def smooth(points, steps=14):
    """Catmull-Rom through the points, so that a few numbers give a soft outline."""
    out = []
    for i in range(len(points) - 1):
        p0, p1 = points[max(0, i - 1)], points[i]
        p2, p3 = points[i + 1], points[min(len(points) - 1, i + 2)]
        for s in range(steps):
            t = s / steps
            out.append(tuple(
                max(0.0, 0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t
                                + (3 * b - a - 3 * c + d) * t ** 3))
                for a, b, c, d in zip(p0, p1, p2, p3)))
    out.append(points[-1])
    return out


def glaze(colour, dip=None, speckle=0.05, second=None):
    """A skin: glaze above a wavy dip line, bare clay (or a second glaze) below, some speckles."""
    base = second or CLAY

    def skin(h, angle):
        line = dip + 0.018 * math.sin(angle * 3 + 1) + 0.011 * math.sin(angle * 7) if dip else -9
        c = colour if h > line else base
        if abs(h - line) < 0.012:
            c = tuple(v * 0.8 for v in c)
        if noise(int(angle * 26), int(h * 105) + 7) < speckle:
            c = tuple(v * 0.74 for v in c)
        return c
    return skin


def ring(cx, cy, rx, ry, thick, start, end):
    def path(t):
        a = math.radians(start + (end - start) * t)
        return cx + rx * math.cos(a), cy + ry * math.sin(a), thick
    return path


def spout(points, thick0, thick1):
    (x0, y0), (x1, y1), (x2, y2) = points

    def path(t):
        u = 1 - t
        return (u * u * x0 + 2 * u * t * x1 + t * t * x2, u * u * y0 + 2 * u * t * y1 + t * t * y2,
                thick0 + (thick1 - thick0) * t)
    return path


def mug(s, at, skin):
    s.shadow(at, 0.36)
    s.tube(at, ring(0.36, 0.36, 0.22, 0.22, 0.052, -95, 95), skin, 0.6)
    s.lathe(at, [(0, 0), (0.3, 0), (0.35, 0.04), (0.37, 0.35), (0.375, 0.7)], skin)


def tumbler(s, at, skin):
    s.shadow(at, 0.32)
    s.lathe(at, [(0, 0), (0.26, 0), (0.29, 0.05), (0.33, 0.4), (0.37, 0.82)], skin)


def bowl(s, at, skin):
    s.shadow(at, 0.36)
    s.lathe(at, [(0, 0.02), (0.2, 0), (0.24, 0.03), (0.42, 0.16), (0.54, 0.34), (0.58, 0.46)], skin)


def plate(s, at, skin):
    s.shadow(at, 0.58)
    s.lathe(at, [(0, 0.02), (0.36, 0.02), (0.46, 0.05), (0.6, 0.1), (0.66, 0.12)], skin)


def jug(s, at, skin):
    s.shadow(at, 0.34)
    s.tube(at, ring(0.24, 0.52, 0.28, 0.3, 0.05, -80, 100), skin, 0.8)
    s.tube(at, spout([(-0.16, 0.72), (-0.24, 0.84), (-0.37, 0.97)], 0.11, 0.055), skin, 0.9)
    s.lathe(
        at, [(0, 0), (0.26, 0), (0.32, 0.06), (0.38, 0.28), (0.32, 0.52), (0.22, 0.72), (0.25, 0.96)], skin
    )


def vase(s, at, skin):
    s.shadow(at, 0.3)
    s.lathe(
        at,
        [(0, 0), (0.2, 0), (0.25, 0.05), (0.38, 0.36), (0.3, 0.64), (0.12, 0.86), (0.11, 1.0), (0.17, 1.12)],
        skin,
    )


def jar(s, at, skin, lid):
    s.shadow(at, 0.36)
    s.lathe(at, [(0, 0), (0.3, 0), (0.37, 0.06), (0.4, 0.3), (0.38, 0.56), (0.33, 0.64)], skin)
    s.lathe(at, [(0.37, 0.64), (0.37, 0.68), (0.24, 0.75), (0.07, 0.78)], lid)
    s.lathe(at, [(0.05, 0.77), (0.06, 0.82), (0.1, 0.86), (0.08, 0.92), (0.001, 0.95)], lid)


def teapot(s, at, skin, lid):
    s.shadow(at, 0.44)
    s.tube(at, ring(0.4, 0.36, 0.27, 0.23, 0.052, -125, 120), skin, 0.8)
    s.tube(at, spout([(-0.3, 0.2), (-0.6, 0.22), (-0.68, 0.56)], 0.14, 0.055), skin, 0.8)
    s.lathe(at, [(0, 0), (0.28, 0), (0.34, 0.03), (0.47, 0.26), (0.4, 0.5), (0.2, 0.62)], skin)
    s.lathe(at, [(0.24, 0.6), (0.22, 0.65), (0.1, 0.69), (0.05, 0.7)], lid)
    s.lathe(at, [(0.04, 0.69), (0.05, 0.74), (0.08, 0.77), (0.06, 0.82), (0.001, 0.84)], lid)


def planter(s, at, skin):
    def leaf(h, a):
        return MOSS if noise(int(a * 5), int(h * 9)) > 0.3 else (92, 116, 78)

    s.shadow(at, 0.38)
    for i in range(11):
        lean = (i - 5) / 5
        s.tube(
            at,
            spout(
                [
                    (lean * 0.2, 0.5),
                    (lean * 0.26, 0.95 - abs(lean) * 0.1),
                    (lean * 0.52, 1.2 - abs(lean) * 0.42 + 0.05 * (i % 2)),
                ],
                0.035,
                0.008,
            ),
            leaf,
            i * 0.21,
        )
    s.lathe(at, [(0, 0), (0.24, 0), (0.3, 0.02), (0.36, 0.3), (0.4, 0.56), (0.43, 0.58), (0.43, 0.66)], skin)


def flat(colour):
    return lambda u, v: colour


def wall(u, v):
    """The hero's backdrop: plaster above, a board of oak below, light falling from the left."""
    if v > 0.74:
        grain = 5 * math.sin(v * 260 + 3 * math.sin(u * 5)) + 4 * math.sin(u * 11 + v * 50)
        edge = 0.86 if v > 0.955 else 1.0
        grain = round(grain / 2) * 2
        return tuple(edge * (c + grain) for c in (196, 158, 118))
    glow = round(26 * math.exp(-((u - 0.3) ** 2 * 3 + (v - 0.25) ** 2 * 2))) / 26
    return (206 + 26 * glow, 203 + 26 * glow, 190 + 26 * glow)


def product(draw, *skins, tint=(240, 234, 224), scale=185, base=250, x=300):
    s = Scene(300, 300, flat(tint))
    draw(s, (x, base * 2, scale * 2), *skins)
    return s


def hero(width):
    k = width / 1040
    s = Scene(width, int(430 * k), wall)

    def at(x, y, size):
        return (x * 2 * k, y * 2 * k, size * 2 * k)
    vase(s, at(300, 350, 240), glaze(SEA, 0.5, second=CREAM))
    jug(s, at(500, 352, 215), glaze(CREAM, 0.16))
    teapot(s, at(800, 368, 205), glaze(SLATE, 0.1), glaze(SLATE))
    bowl(s, at(402, 396, 155), glaze(RUST, 0.1))
    mug(s, at(590, 400, 125), glaze(BLUSH, 0.14))
    return s


def icon(size):
    """The home-screen icon: one mug, filling the square."""
    s = Scene(size, size, flat((62, 78, 72)))
    mug(s, (size * 0.9, size * 1.52, size * 1.32), glaze(CREAM, 0.2))
    return s


PICTURES = {
    "images/mug.png": lambda: product(mug, glaze(CREAM, 0.2), scale=225, base=240, x=276),
    "images/tumbler.png": lambda: product(tumbler, glaze(SEA, 0.3), scale=225, base=245),
    "images/bowl.png": lambda: product(bowl, glaze(RUST, 0.1), tint=(236, 232, 222), scale=215, base=215),
    "images/plate.png": lambda: product(plate, glaze(SLATE, speckle=0), scale=195, base=190),
    "images/jug.png": lambda: product(jug, glaze(CREAM, 0.16), tint=(226, 230, 224), scale=215, base=258),
    "images/vase.png": lambda: product(
        vase, glaze(SEA, 0.5, second=CREAM), tint=(238, 230, 220), scale=195, base=262
    ),
    "images/jar.png": lambda: product(jar, glaze(MOSS, 0.16), glaze(MOSS), scale=225, base=248),
    "images/teapot.png": lambda: product(
        teapot, glaze(SLATE, 0.1), glaze(SLATE), tint=(232, 230, 224), scale=190, base=228
    ),
    "../versions/1.1.0/images/planter.png": lambda: product(
        planter, glaze(BLUSH, 0.24), tint=(232, 234, 224), scale=185, base=262
    ),
    "images/hero-small.png": lambda: hero(520),
    "images/hero-large.png": lambda: hero(1040),
    "public/icons/icon-192.png": lambda: icon(192),
}


def filtered(row, above, kind):
    out = bytearray(len(row))
    for i, v in enumerate(row):
        a = row[i - 3] if i >= 3 else 0
        b = above[i]
        c = above[i - 3] if i >= 3 else 0
        if kind == 0:
            p = 0
        elif kind == 1:
            p = a
        elif kind == 2:
            p = b
        else:
            e = a + b - c
            pa, pb, pc = abs(e - a), abs(e - b), abs(e - c)
            p = a if pa <= pb and pa <= pc else b if pb <= pc else c
        out[i] = (v - p) & 255
    return out


def png(scene):
    width, height = scene.w // 2, scene.h // 2
    above, body = bytes(width * 3), bytearray()
    for row in scene.pixels():
        tries = {k: filtered(row, above, k) for k in (0, 1, 2, 4)}
        best = min(tries, key=lambda k: sum(min(v, 256 - v) for v in tries[k]))
        body += bytes([best]) + tries[best]
        above = row
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(bytes(body), 9)) + chunk(b"IEND", b""))


def main():
    wanted = sys.argv[1:]
    for name, make in PICTURES.items():
        if wanted and Path(name).stem not in wanted:
            continue
        target = (SRC / name).resolve()
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(png(make()))
        print(f"{target.stat().st_size:7d} {target.relative_to(SRC.parent)}")


if __name__ == "__main__":
    main()
