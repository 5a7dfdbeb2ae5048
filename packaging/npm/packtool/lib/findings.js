"use strict";
// Turns the findings of check into positions of source files, for the messages of bundlers.

const fs = require("node:fs");
const path = require("node:path");
const { original, readMap } = require("./sourcemap.js");

/**
 * Returns the findings with `text`, `notes`, and if known the position of the source:
 * `file`, `line` (from 1), `column` (from 0, in UTF-16 units), `length` and the file's `lines`.
 *
 * `knownMap` returns the map of a built file if the bundler has it.
 */
function locate(document, directory, root, knownMap) {
  const files = new Map();
  const read = (file) => {
    if (!files.has(file)) {
      const bytes = fs.readFileSync(file);
      const text = bytes.toString();
      files.set(file, { bytes, lines: text.split(/\r\n|\n|\r/), map: knownMap(file) ?? readMap(file, text) });
    }
    return files.get(file);
  };
  return document.findings.map((finding) => {
    const built = finding.file ? path.join(directory, finding.file) : undefined;
    const position = built && finding.line ? sourcePosition(finding, built, read, root) : {};
    return {
      file: built,
      ...position,
      rule: finding.rule,
      severity: finding.severity,
      text: `${finding.message} (${finding.rule})`,
      notes: notes(finding, position.isMapped ? path.relative(root, built) : undefined),
    };
  });
}

function sourcePosition(finding, file, read, root) {
  let built;
  try {
    built = read(file);
  } catch {
    return { line: finding.line, column: finding.column - 1 };
  }
  const words = built.bytes.subarray(finding.offset, finding.offset + finding.length).toString();
  // Columns of check are bytes.
  const begin = finding.offset - (finding.column - 1);
  const column = built.bytes.subarray(begin, finding.offset).toString().length;
  const source = built.map && original(built.map, finding.line - 1, column, root);
  if (!source) return { line: finding.line, column, length: words.length, lines: built.lines };
  const lines = source.text?.split(/\r\n|\n|\r/);
  // A mapping is often that of the whole expression.
  const exact = words ? (lines?.[source.line - 1] ?? "").indexOf(words, source.column) : -1;
  return {
    file: source.file,
    line: source.line,
    column: exact < 0 ? source.column : exact,
    length: exact < 0 ? 0 : words.length,
    lines,
    isMapped: true,
  };
}

function notes(finding, built) {
  const notes = [...finding.notes];
  if (finding.count > 1) notes.push(`${finding.count} occurrences`);
  if (finding.profiles) notes.push(`in the profiles ${finding.profiles.join(", ")}`);
  if (finding.setting) {
    const { key, value } = finding.setting;
    notes.push(`if this is intentional, set '${key}: ${JSON.stringify(value)}' in packtool.yaml`);
  }
  if (built) notes.push(`in the build: ${built}:${finding.line}:${finding.column}`);
  return notes;
}

/** Returns the lines around a position, the position marked; "" if the text is not known. */
function codeFrame({ lines, line, column, length }) {
  if (!lines?.[line - 1]) return "";
  // Lines of minified files can have a million characters.
  const start = column > 80 ? column - 40 : 0;
  const shown = lines.slice(Math.max(0, line - 3), line + 2);
  const first = Math.max(1, line - 2);
  const width = String(first + shown.length - 1).length;
  return shown
    .flatMap((text, index) => {
      const number = first + index;
      const visible = text.replace(/[\0-\x1f\x7f-\x9f]/g, " ").slice(start, start + 120);
      const row = `${String(number).padStart(width)} | ${visible}`;
      if (number !== line) return [row];
      const mark = "^".repeat(Math.max(1, Math.min(length ?? 1, start + 120 - column)));
      return [row, `${" ".repeat(width)} | ${" ".repeat(column - start)}${mark}`];
    })
    .join("\n");
}

module.exports = { codeFrame, locate };
