"use strict";
// The plugin for Vite and Rollup.

const path = require("node:path");
const { codeFrame } = require("./findings.js");
const { checkBuild, publishBuild } = require("./plugin.js");
const { mapOf } = require("./sourcemap.js");

module.exports = function packtool(options = {}) {
  const maps = new Map();
  let root = process.cwd();
  let vite;
  let directory;

  return {
    name: "packtool",
    apply: "build",
    enforce: "post",

    configResolved(config) {
      vite = config;
      root = config.root;
    },

    writeBundle(output, bundle) {
      // Pages that a server renders are no part of a package.
      if (vite?.build.ssr || this.environment?.config?.consumer === "server") return;
      const written = path.resolve(root, output.dir ?? path.dirname(output.file));
      directory ??= written;
      for (const [name, file] of Object.entries(bundle)) {
        if (file.map) maps.set(path.join(written, name), file.map);
      }
    },

    closeBundle: {
      // Other plugins also write files when the bundle is closed.
      order: "post",
      sequential: true,
      async handler(buildError) {
        // If the build failed, an error of the check would replace the build's.
        if (directory === undefined || buildError) return;
        const target = directory;
        directory = undefined;
        const knownMap = (file) => maps.has(file) ? mapOf(maps.get(file), file) : undefined;
        const { findings, failure } = await checkBuild(options, target, root, knownMap);
        maps.clear();
        // A bundler that watches would end at an error, and rollup would show warnings after its next build.
        if (this.meta?.watchMode) {
          for (const finding of findings) console.warn(plainText(finding, root));
          if (failure) console.warn(`packtool: ${failure}`);
          return;
        }
        // Vite prints only the message of a plugin's warning.
        for (const finding of findings) this.warn(vite ? plainText(finding, root) : rollupLog(finding));
        if (failure) this.error(failure);
        const problem = options.publish && (await publishBuild(options, target, root));
        if (problem) this.error(problem);
      },
    },
  };
};

function rollupLog({ severity, text, notes, file, line, column, ...source }) {
  return {
    message: [`${severity}: ${text}`, ...notes.map((note) => `  ${note}`)].join("\n"),
    id: file,
    loc: line && { file, line, column },
    frame: line && codeFrame({ line, column, ...source }),
  };
}

/** Returns a finding with its position and frame. */
function plainText({ severity, text, notes, ...source }, root) {
  const { file, line, column } = source;
  const place = file && path.relative(root, file) + (line ? `:${line}:${column + 1}` : "");
  const details = [place, ...notes].filter(Boolean).map((text) => `  ${text}`);
  return [`${severity}: ${text}`, ...details, line ? codeFrame(source) : ""].filter(Boolean).join("\n");
}
