"use strict";
// Finds the original position of a position in a built file.

const fs = require("node:fs");
const path = require("node:path");
const { SourceMap } = require("node:module");
const { fileURLToPath } = require("node:url");

const LINK = /\/[/*][#@]\s*sourceMappingURL=([^\s*]+)/g;

/** Reads the source map of a built file: the one its last comment names, or the file beside it with '.map'. */
function readMap(file, text) {
  const link = [...text.matchAll(LINK)].pop()?.[1];
  const data = link?.match(/^data:[^,]*?(;base64)?,(.*)$/);
  try {
    if (data) {
      return parse(data[1] ? Buffer.from(data[2], "base64").toString() : decodeURIComponent(data[2]), file);
    }
    const beside = link && !/^[a-z]+:/i.test(link) ? path.resolve(path.dirname(file), decodeURIComponent(link)) : "";
    return readMapFile(fs.existsSync(beside) ? beside : file + ".map");
  } catch {
    return undefined;
  }
}

/** Reads a file with a source map; `undefined` if there is none. */
function readMapFile(file) {
  try {
    return parse(fs.readFileSync(file, "utf8"), file);
  } catch {
    return undefined;
  }
}

/** Returns a map from its JSON text; paths in it are relative to `file`. */
function parse(text, file) {
  // The prefix keeps the text from being run as a script.
  return mapOf(JSON.parse(text.replace(/^\)\]\}'[^\n]*\n/, "")), file);
}

/** Returns a map from its JSON value; paths in it are relative to `file`. */
function mapOf(payload, file) {
  return { map: new SourceMap(payload), payload, directory: path.dirname(file) };
}

/**
 * Returns the file, line (from 1), column (from 0) and text of the original of a built position.
 *
 * `line` and `column` count from 0; webpack's paths are relative to `root`.
 */
function original({ map, payload, directory }, line, column, root) {
  const entry = map.findEntry(line, column);
  // Without a mapping on this line, the entry is that of an earlier one.
  if (entry.originalSource == null || entry.generatedLine !== line) return undefined;
  const source = entry.originalSource;
  const part = [payload, ...(payload.sections ?? []).map((section) => section.map)]
    .find((part) => part?.sources?.includes(source));
  const file = sourcePath(source, part?.sourceRoot ?? "", directory, root);
  let text = part?.sourcesContent?.[part.sources.indexOf(source)];
  if (text == null) {
    try {
      text = fs.readFileSync(file, "utf8");
    } catch {
      text = undefined;
    }
  }
  return { file, line: entry.originalLine + 1, column: entry.originalColumn, text };
}

function sourcePath(source, sourceRoot, directory, root) {
  const name = source.replace(/\?[^/]*$/, "");
  if (name.startsWith("file://")) return fileURLToPath(name);
  const webpack = name.match(/^webpack:\/\/[^/]*\/(.*)$/);
  if (webpack) return path.resolve(root, webpack[1]);
  return path.resolve(directory, sourceRoot, name);
}

module.exports = { mapOf, original, readMap, readMapFile };
