"use strict";
// Runs commands of packtool with --json, and returns the documents of docs/json.md.

const { spawn } = require("node:child_process");
const { PacktoolError, findProgram, startError } = require("./program.js");

/** Runs a command and returns its document; throws a PacktoolError if the command failed. */
async function run(command, args = [], options = {}) {
  const program = findProgram();
  const words = [...command.split(" "), ...args, "--json"];
  const { status, stdout, stderr } = await output(program, words, options);
  let document;
  try {
    document = JSON.parse(stdout);
  } catch (cause) {
    throw new PacktoolError(lastLine(stderr) || `'packtool ${command}' printed no JSON document`, {
      code: "npm.no-document", exitCode: typeof status === "number" && status > 1 ? status : 2, cause,
    });
  }
  if (document?.error) {
    const { message, ...rest } = document.error;
    throw new PacktoolError(message, { ...rest, exitCode: typeof status === "number" ? status : 2 });
  }
  if (status !== 0 && status !== 1) {
    throw new PacktoolError(`'packtool ${command}' ended with ${status}`, {
      code: "npm.exit", exitCode: typeof status === "number" ? status : 2,
    });
  }
  return { exitCode: status, document, messages: stderr };
}

/** Resolves to the exit code, or the signal's name, with everything that the program printed. */
function output(program, words, { cwd, env, signal }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd, signal, env: env && { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"],
    });
    const chunks = { stdout: [], stderr: [] };
    for (const name of ["stdout", "stderr"]) child[name].on("data", (chunk) => chunks[name].push(chunk));
    // A call that is aborted gets its AbortError.
    child.on("error", (error) => reject(error.name === "AbortError" ? error : startError(program, error)));
    child.on("close", (code, signal) =>
      resolve({
        status: signal ?? code,
        stdout: Buffer.concat(chunks.stdout).toString(),
        stderr: Buffer.concat(chunks.stderr).toString(),
      }),
    );
  });
}

function lastLine(text) {
  return text.trimEnd().split("\n").pop();
}

/** Returns the flags of options: `baseUrl: "…"` is `--base-url=…`, an array repeats its flag. */
function flags(options) {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = "--" + name.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
    if (value === true) return [flag];
    // The only flag with a negative form.
    if (value === false) return name === "mandatory" ? ["--no-mandatory"] : [];
    return [value ?? []].flat().map((value) => `${flag}=${value}`);
  });
}

/** Returns a function that runs a command; `positional` names the options without a flag, in order. */
function commandFunction(command, positional) {
  return (options = {}) => {
    const { cwd, env, signal, ...rest } = options;
    const words = positional.map((name) => rest[name]).filter((value) => value !== undefined);
    for (const name of positional) delete rest[name];
    return run(command, [...flags(rest), ...words], { cwd, env, signal });
  };
}

const check = commandFunction("check", ["build"]);
const publish = commandFunction("publish", ["build"]);
const report = commandFunction("report", ["old", "new"]);
const verify = commandFunction("verify", ["target"]);
const init = commandFunction("init", ["directory"]);

module.exports = { PacktoolError, check, init, publish, report, run, verify };
