// Tests the reader of source maps: sourcemaps.cjs MODULE FOLDER
"use strict";
const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");

const { mapOf, original, readMap, readMapFile } = require(process.argv[2]);
const folder = fs.mkdtempSync(path.join(process.argv[3], "maps-"));
const file = path.join(folder, "assets", "a.js");
fs.mkdirSync(path.dirname(file));

// Line 1: column 0 is a.ts 1:0, column 8 is a.ts 2:4. Line 2 has no mapping, line 3 is b.ts 1:0.
const map = {
  version: 3, sources: ["../src/a.ts", "b.ts?vue&type=script"], sourcesContent: ["one\n    two\n", null], names: [],
  mappings: "AAAA,QACI;;ACDJ",
};
const at = (map, line, column, root = folder) => {
  const found = original(map, line, column, root);
  return found && [path.relative(folder, found.file), found.line, found.column];
};

let read = mapOf(map, file);
assert.deepStrictEqual(at(read, 0, 0), ["src/a.ts", 1, 0]);
assert.deepStrictEqual(at(read, 0, 7), ["src/a.ts", 1, 0]);
assert.deepStrictEqual(at(read, 0, 100), ["src/a.ts", 2, 4]);
assert.strictEqual(original(read, 0, 0, folder).text, map.sourcesContent[0]);
assert.strictEqual(at(read, 1, 0), undefined);
assert.deepStrictEqual(at(read, 2, 0), ["assets/b.ts", 1, 0]);
assert.strictEqual(at(read, 9, 0), undefined);
// Without its content, the source is read from the disk.
assert.strictEqual(original(read, 2, 0, folder).text, undefined);
fs.writeFileSync(path.join(folder, "assets/b.ts"), "b\n");
assert.strictEqual(original(read, 2, 0, folder).text, "b\n");

for (const [sourceRoot, source, expected] of [
  ["../lib", "a.ts", "lib/a.ts"],
  ["", "webpack://shop/./src/a.ts?1a2b", "src/a.ts"],
  ["", "webpack:///src/a.ts", "src/a.ts"],
  ["", `file://${folder}/x/a.ts`, "x/a.ts"],
]) {
  const other = mapOf({ ...map, sourceRoot, sources: [source, "b.ts"] }, file);
  assert.deepStrictEqual(at(other, 0, 0), [expected, 1, 0]);
}

// An index map.
const sections = [{ offset: { line: 4, column: 0 }, map }];
read = mapOf({ version: 3, sections }, file);
assert.deepStrictEqual(at(read, 4, 8), ["src/a.ts", 2, 4]);
assert.strictEqual(original(read, 4, 8, folder).text, map.sourcesContent[0]);

// Where a map is found: a comment with a path or with data, or the file beside.
const text = JSON.stringify(map);
fs.mkdirSync(path.join(folder, "maps"));
fs.writeFileSync(path.join(folder, "maps/süß a.map"), ")]}'\n" + text.replace("../src", "../source"));
fs.writeFileSync(file + ".map", text);
const found = (text) => at(readMap(file, text), 0, 0)[0];
assert.strictEqual(found("x()\n//# sourceMappingURL=../maps/s%C3%BC%C3%9F%20a.map\n"), "source/a.ts");
assert.strictEqual(found("x()\n//# sourceMappingURL=gone.map"), "src/a.ts");
assert.strictEqual(found("x()\n//# sourceMappingURL=https://maps.example.com/a.map"), "src/a.ts");
assert.strictEqual(found("x()"), "src/a.ts");
const data = text.replace("../src", "in");
const base64 = `application/json;charset=utf-8;base64,${Buffer.from(data).toString("base64")}`;
for (const link of [`data:${base64}`, `data:,${encodeURIComponent(data)}`]) {
  assert.strictEqual(found(`x()\n/*# sourceMappingURL=${link} */`), "assets/in/a.ts");
}
// Damaged maps are none.
fs.writeFileSync(file + ".map", "{");
assert.strictEqual(readMap(file, "x()"), undefined);
assert.strictEqual(readMap(file, "x()\n//# sourceMappingURL=data:application/json;base64,e30"), undefined);
assert.strictEqual(readMapFile(path.join(folder, "none.map")), undefined);
