#!/usr/bin/env node
"use strict";
// Packs the npm packages: one for each given program, and 'packtool', which depends on them.
//
//   packaging/npm/build.js [--out DIR] [--name NAME] [--scope SCOPE] [--repository URL] VERSION PROGRAM…
//
// PROGRAM is a tarball of 'make dist', or PLATFORM=FILE with a program that is built already; PLATFORM is
// linux-x64, linux-arm64 or darwin-universal. NAME is 'packtool', SCOPE '@packtool', DIR '.build/npm/packages'.
// npm accepts a provenance only if URL is that of the repository.
// It prints the files in the order in which to publish them.

const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { parseArgs } = require("node:util");

const HERE = __dirname;
const ROOT = path.resolve(HERE, "../..");
const PLATFORMS = {
  "linux-x64": { os: ["linux"], cpu: ["x64"] },
  "linux-arm64": { os: ["linux"], cpu: ["arm64"] },
  "darwin-universal": { os: ["darwin"], cpu: ["x64", "arm64"] },
};
// The words of uname in the names of tarballs.
const TARBALLS = [
  [/-linux-(x86_64|amd64)\.tar\.gz$/, "linux-x64"],
  [/-linux-(aarch64|arm64)\.tar\.gz$/, "linux-arm64"],
  [/-(macos|darwin)-universal\.tar\.gz$/, "darwin-universal"],
];

function fail(message, help) {
  console.error(`error: ${message}\nhelp: ${help}`);
  process.exit(64);
}

/** Returns the platform and the file of an argument. */
function parseProgram(word) {
  const found = word.match(/^([a-z0-9-]+)=(.+)$/);
  const platform = found ? found[1] : TARBALLS.find(([name]) => name.test(word))?.[1];
  if (!(platform in PLATFORMS)) {
    fail(`no platform is known for '${word}'`, `write PLATFORM=FILE with ${Object.keys(PLATFORMS).join(", ")}`);
  }
  return { platform, file: found ? found[2] : word, isTarball: !found };
}

/** Copies the program, and the licences of a tarball, into a package. */
function copyProgram({ file, isTarball }, target, work) {
  fs.mkdirSync(path.join(target, "bin"));
  const program = path.join(target, "bin/packtool");
  if (isTarball) {
    const tree = fs.mkdtempSync(path.join(work, "tarball-"));
    execFileSync("tar", ["-xzf", path.resolve(file), "-C", tree]);
    const find = (test, directory = tree) =>
      fs.readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
        const name = path.join(directory, entry.name);
        return test(entry, name) ? [name] : entry.isDirectory() ? find(test, name) : [];
      });
    // The completions of bash have the same name.
    const [packed] = find((entry, name) =>
      entry.name === "packtool" && entry.isFile() && (fs.statSync(name).mode & 0o111) !== 0);
    if (!packed) fail(`'${file}' contains no program 'packtool'`, "use a tarball of 'make dist'");
    fs.copyFileSync(packed, program);
    for (const licenses of find((entry) => /^licen[cs]es$/.test(entry.name) && entry.isDirectory())) {
      fs.cpSync(licenses, path.join(target, "licenses"), { recursive: true });
    }
  } else {
    fs.copyFileSync(file, program);
  }
  fs.chmodSync(program, 0o755);
}

/** Writes a package and packs it; returns the tarball. */
function pack(template, properties, work, out, prepare = () => {}) {
  const target = path.join(work, properties.name.replace("/", "+"));
  fs.cpSync(path.join(HERE, template), target, { recursive: true });
  const manifest = path.join(target, "package.json");
  const written = { ...JSON.parse(fs.readFileSync(manifest, "utf8")), ...properties };
  fs.writeFileSync(manifest, JSON.stringify(written, null, 2) + "\n");
  fs.copyFileSync(path.join(ROOT, "LICENSE"), path.join(target, "LICENSE"));
  prepare(target);
  const output = execFileSync("npm", ["pack", "--silent", "--pack-destination", out], {
    cwd: target, encoding: "utf8",
  });
  return path.join(out, output.trim().split("\n").pop());
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string" },
    name: { type: "string" },
    scope: { type: "string" },
    repository: { type: "string" },
  },
});
// parseArgs has no defaults before Node 18.11.
const { out = path.join(ROOT, ".build/npm/packages"), name = "packtool", scope = "@packtool" } = values;
const [version, ...words] = positionals;
if (!/^\d+\.\d+\.\d+/.test(version ?? "") || words.length === 0) {
  fail("a version and a program are needed", "build.js 1.0.0 linux-x64=.build/release/packtool");
}
const programs = words.map(parseProgram);
const folder = path.resolve(out);
fs.mkdirSync(folder, { recursive: true });
const work = fs.mkdtempSync(path.join(os.tmpdir(), "packtool-npm-"));
try {
  const dependencies = {};
  const shared = { version, ...(values.repository && { repository: { type: "git", url: values.repository } }) };
  for (const program of programs) {
    const properties = {
      name: `${scope}/${program.platform}`,
      ...shared,
      description: `The program of packtool for ${program.platform}`,
      ...PLATFORMS[program.platform],
    };
    console.log(pack("platform", properties, work, folder, (target) => copyProgram(program, target, work)));
    dependencies[properties.name] = version;
  }
  console.log(pack("packtool", { name, ...shared, optionalDependencies: dependencies }, work, folder));
} finally {
  fs.rmSync(work, { recursive: true, force: true });
}
