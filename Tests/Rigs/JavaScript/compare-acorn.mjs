// Compares what our JavaScript lexer finds with what acorn, a parser, finds in the same files:
// every string (with its value), template part, regular expression and comment, byte by byte.
//
//   node compare-acorn.mjs DRIVER FILE-OR-FOLDER…
//
// DRIVER is Tests/Rigs/Readers, built. Exit code 0: no difference; 1: some; 2: could not compare.
import { createRequire } from 'node:module'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { bytePositions, files } from './scripts.mjs'

const require = createRequire('/usr/share/nodejs/acorn/package.json')
let acorn
try { acorn = require('/usr/share/nodejs/acorn') } catch {
  console.error('SKIPPED, nothing was compared: no acorn (apt-get install node-acorn)')
  process.exit(2)
}
const [driver, ...roots] = process.argv.slice(2)

/// FNV-1a over the UTF-8 of a value, as the driver computes it.
function fnv(text) {
  let hash = 2166136261
  for (const byte of Buffer.from(text.toWellFormed?.() ?? text, 'utf8')) {
    hash = Math.imul(hash ^ byte, 16777619) >>> 0
  }
  return hash >>> 0
}

/// What acorn finds, in the form of the driver's lines; `null` if it refuses the file.
function expected(text, sourceType) {
  const bytes = bytePositions(text)
  const found = []
  const add = (kind, start, end, extra) =>
    found.push([bytes[start], `${kind} ${bytes[start]} ${bytes[end]}${extra}`])
  acorn.parse(text, {
    ecmaVersion: 'latest', sourceType, allowHashBang: true, allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: sourceType === 'module',
    onComment: (block, body, start, end) => {
      if (!text.startsWith('#!', start)) add('c', start, end, '')
    },
    onToken: token => {
      const type = token.type.label
      if (type === 'string') add('s', token.start, token.end, ' ' + fnv(token.value))
      else if (type === 'regexp') add('r', token.start, token.end, '')
      else if (type === 'template' || type === 'invalidTemplate') {
        add('t', token.start, token.end, token.value === null ? ' *' : ' ' + fnv(token.value))
      }
    },
  })
  return found.sort((a, b) => a[0] - b[0]).map(entry => entry[1])
}

const seen = new Set()
const counts = { s: 0, t: 0, r: 0, c: 0 }
let compared = 0, same = 0, refused = 0, bytes = 0, differing = 0
const jobs = { script: [], module: [] }
for (const root of roots) {
  for (const file of files(root)) {
    const content = readFileSync(file)
    const digest = createHash('sha1').update(content).digest('hex')
    if (seen.has(digest)) { same += 1; continue }
    seen.add(digest)
    // A file is a module if it parses as one; in a page, the script element would say.
    let found
    const text = content.toString('utf8')
    if (!Buffer.from(text, 'utf8').equals(content)) { refused += 1; console.log('not UTF-8:', file); continue }
    for (const goal of ['module', 'script']) {
      try { found = [goal, expected(text, goal)]; break } catch (error) { found = error }
    }
    if (found instanceof Error) {
      refused += 1
      console.log('acorn refuses:', file, found.message)
      continue
    }
    const result = spawnSync(driver, ['literals', '--' + found[0]],
      { input: file + '\n', maxBuffer: 1 << 30, encoding: 'utf8' })
    if (result.status !== 0) { console.error(file, 'driver:', result.status, result.signal); process.exit(2) }
    const ours = result.stdout.split('\n').slice(1, -2)
    compared += 1
    bytes += content.length
    for (const line of found[1]) counts[line[0]] += 1
    const size = Math.max(ours.length, found[1].length)
    for (let i = 0; i < size; i++) {
      const [a, b] = [found[1][i], ours[i]]
      if (a === b || (a?.endsWith(' *') && b?.startsWith(a.slice(0, -1)))) continue
      differing += 1
      const at = Number((a ?? b).split(' ')[1])
      console.log(`${file}: acorn ${a}, ours ${b}: …${JSON.stringify(content.subarray(Math.max(0, at - 80), at + 60).toString())}`)
      break
    }
  }
}
console.log(`compared ${compared} files, ${(bytes / 1e6).toFixed(1)} MB (${same} more are copies, ${refused} refused): ` +
  `${counts.s} strings, ${counts.t} template parts, ${counts.r} regular expressions, ${counts.c} comments; ` +
  `${differing} files differ`)
process.exit(differing ? 1 : compared ? 0 : 2)
