"use strict";
// The work of the three plugins: checks a build, and publishes it on demand.

const path = require("node:path");
const { check, publish } = require("./index.js");
const { locate } = require("./findings.js");

/** The settings of the check that a publish also needs. */
const SHARED = ["app", "config", "exclude", "host", "launch", "pageOrigin", "profile", "scheme"];

/**
 * Checks a build; returns its findings with positions, and the error that fails the build, if any.
 *
 * `directory` is the bundler's output directory, `root` the project's, `knownMap` as in `locate`.
 */
async function checkBuild(options, directory, root, knownMap = () => undefined) {
  const { publish, level, profiles, build, ...rest } = options;
  const target = build === undefined ? directory : path.resolve(root, build);
  try {
    const { exitCode, document } = await check({ cwd: root, ...rest, ...profile(options), build: target });
    const findings = locate(document, target, root, knownMap);
    return { findings, failure: exitCode === 0 ? undefined : summary(document) };
  } catch (error) {
    return { findings: [], failure: explain(error) };
  }
}

/** Publishes a build that was checked; returns the text of a failure, if any. */
async function publishBuild(options, directory, root) {
  const own = options.publish === true ? {} : options.publish;
  const shared = Object.fromEntries(SHARED.filter((name) => name in options).map((name) => [name, options[name]]));
  const build = options.build === undefined ? directory : path.resolve(root, options.build);
  const level = options.level === undefined ? {} : { level: options.level };
  try {
    const result = await publish({ cwd: root, ...shared, ...profile(options), ...level, noCheck: true, ...own, build });
    if (result.exitCode !== 0) return result.messages.trimEnd();
    const { outcome, version, label, origin } = result.document;
    console.log(`packtool: ${outcome} ${version}${label ? ` (${label})` : ""} in ${origin}`);
    return undefined;
  } catch (error) {
    return explain(error);
  }
}

function profile({ profile, profiles }) {
  return profile === undefined && profiles === undefined ? {} : { profile: [profile ?? [], profiles ?? []].flat() };
}

function summary({ errors, warnings }) {
  const count = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  return `the check failed: ${count(errors, "error")}, ${count(warnings, "warning")}`;
}

function explain(error) {
  return error.help ? `${error.message}\nhelp: ${error.help}` : error.message;
}

module.exports = { checkBuild, publishBuild };
