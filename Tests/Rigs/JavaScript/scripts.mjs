// The scripts that the comparisons with acorn read, and their positions.
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/// The scripts below a folder, in order, or the file itself.
export function* files(root) {
  if (!statSync(root).isDirectory()) return yield root
  for (const name of readdirSync(root).sort()) {
    const inner = path.join(root, name)
    if (statSync(inner).isDirectory()) yield* files(inner)
    else if (/\.[mc]?js$/.test(name)) yield inner
  }
}

/// The position in bytes of each UTF-16 position of a text.
export function bytePositions(text) {
  const bytes = new Uint32Array(text.length + 1)
  let at = 0
  for (let i = 0; i < text.length; i++) {
    bytes[i] = at
    const unit = text.charCodeAt(i)
    if (unit < 0x80) at += 1
    else if (unit < 0x800) at += 2
    else if (unit >= 0xd800 && unit < 0xdc00) { at += 4; bytes[++i] = at }
    else at += 3
  }
  bytes[text.length] = at
  return bytes
}
