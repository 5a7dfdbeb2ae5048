"use strict";
// Finds packtool's program, which an optional dependency for each platform contains.

const path = require("node:path");

class PacktoolError extends Error {
  /** `details` has the members of an error of docs/json.md, `exitCode`, and `cause`. */
  constructor(message, { cause, ...details }) {
    super(message, cause && { cause });
    this.name = "PacktoolError";
    Object.assign(this, { exitCode: 2 }, details);
  }
}

/** Returns the path of the program: PACKTOOL_BINARY, or that of the platform's package. */
function findProgram() {
  const given = process.env.PACKTOOL_BINARY;
  // Commands run in other directories; a bare name is looked up in PATH.
  if (given) return given.includes("/") ? path.resolve(given) : given;
  const platform = process.platform === "darwin" ? "darwin-universal" : `${process.platform}-${process.arch}`;
  const packages = Object.keys(require("../package.json").optionalDependencies ?? {});
  const name = packages.find((name) => name.endsWith(`/${platform}`));
  if (name === undefined) {
    throw new PacktoolError(`no program for '${process.platform}-${process.arch}' is published`, {
      code: "npm.unsupported-platform",
      help: "build packtool from its sources, and set PACKTOOL_BINARY to the program",
    });
  }
  try {
    return require.resolve(`${name}/bin/packtool`);
  } catch (cause) {
    throw new PacktoolError(`the package '${name}' is not installed`, {
      code: "npm.missing-platform-package",
      help:
        "run 'npm install' on this system, without --omit=optional;" +
        " do not copy 'node_modules' from another system",
      cause,
    });
  }
}

/** Returns the error of a program that did not start. */
function startError(program, cause) {
  return new PacktoolError(`cannot start '${program}': ${cause.message}`, {
    code: "npm.start",
    help: "check the path",
    cause,
  });
}

module.exports = { PacktoolError, findProgram, startError };
