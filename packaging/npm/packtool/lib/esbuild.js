"use strict";
// The plugin for esbuild.

const path = require("node:path");
const { checkBuild, publishBuild } = require("./plugin.js");

module.exports = function packtool(options = {}) {
  return {
    name: "packtool",
    setup(build) {
      const { absWorkingDir: root = process.cwd(), outdir, outfile, write } = build.initialOptions;
      build.onEnd(async (result) => {
        if (result.errors.length > 0) return {};
        if (write === false || !(outdir ?? outfile)) {
          return { warnings: [{ text: "the build was not checked, because esbuild writes no files" }] };
        }
        const directory = path.resolve(root, outdir ?? path.dirname(outfile));
        const { findings, failure } = await checkBuild(options, directory, root);
        await print(build, findings.map((finding) => message(finding, root)));
        const problem = failure ?? (options.publish && (await publishBuild(options, directory, root)));
        if (!problem) return {};
        await print(build, [{ kind: "error", text: problem, pluginName: "packtool" }]);
        return { errors: [{ text: problem }] };
      });
    },
  };
};

/** Prints messages in esbuild's form: `build()` prints none of those that a plugin returns at the end. */
async function print({ esbuild, initialOptions: { logLevel = "warning", color } }, messages) {
  const shown = { silent: [], error: ["error"] }[logLevel] ?? ["error", "warning"];
  for (const message of messages.filter(({ kind }) => shown.includes(kind))) {
    const { kind, ...text } = message;
    const lines = await esbuild.formatMessages([text], { kind, color: color ?? process.stderr.isTTY ?? false });
    process.stderr.write(lines.join(""));
  }
}

function message({ severity, text, notes, file, line, column, length, lines }, root) {
  const lineText = lines?.[line - 1] ?? "";
  const bytes = (begin, end) => Buffer.byteLength(lineText.slice(begin, end));
  return {
    kind: severity === "error" ? "error" : "warning",
    text,
    pluginName: "packtool",
    location: line && {
      file: path.relative(root, file), line, column: bytes(0, column), length: bytes(column, column + length), lineText,
    },
    notes: notes.map((text) => ({ text })),
  };
}
