"use strict";
// The plugin for webpack 5.

const path = require("node:path");
const { codeFrame } = require("./findings.js");
const { checkBuild, publishBuild } = require("./plugin.js");
const { readMapFile } = require("./sourcemap.js");

module.exports = function packtool(options = {}) {
  return {
    apply(compiler) {
      const report = (list, text, properties) =>
        list.push(Object.assign(new compiler.webpack.WebpackError(text), { name: "packtool" }, properties));

      // Other plugins also write files after webpack has written its own.
      compiler.hooks.afterEmit.tapPromise({ name: "packtool", stage: 1000 }, async (compilation) => {
        // The development server writes no files.
        if (compilation.errors.length > 0 || process.env.WEBPACK_SERVE) return;
        const directory = compilation.outputOptions.path;
        const root = compiler.context;
        const knownMap = (file) => {
          const asset = compilation.getAsset(path.relative(directory, file).split(path.sep).join("/"));
          const name = asset?.info.related?.sourceMap;
          return typeof name === "string" ? readMapFile(path.join(directory, name)) : undefined;
        };
        const { findings, failure } = await checkBuild(options, directory, root, knownMap);
        for (const finding of findings) {
          const { severity, text, notes, file, line, column, length } = finding;
          const lines = [text, ...notes.map((note) => `  ${note}`), line ? codeFrame(finding) : ""];
          const list = failure && severity === "error" ? compilation.errors : compilation.warnings;
          report(list, lines.filter(Boolean).join("\n"), {
            file: file && path.relative(root, file),
            loc: line && { start: { line, column }, end: { line, column: column + (length || 1) } },
          });
        }
        if (failure) {
          report(compilation.errors, failure);
        } else if (options.publish && !compiler.watchMode) {
          const failure = await publishBuild(options, directory, root);
          if (failure) report(compilation.errors, failure);
        }
      });
    },
  };
};
