// Compiles scripts for old engines with esbuild: after that, no syntax newer than the engine may be found.
//
//   node compare-targets.mjs DRIVER FILE-OR-FOLDER… [--max BYTES] [--every N] [-v]
//
// DRIVER is Tests/Rigs/Readers, built. --every N: each Nth script. Exit code 0: no difference; 1: some; 2: could
// not compare.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { files } from './scripts.mjs'

const [driver, ...rest] = process.argv.slice(2)
const roots = rest.slice(0, rest.findIndex(word => word.startsWith('-')) >>> 0)
const option = (name, value) => { const i = rest.indexOf(name); return i < 0 ? value : Number(rest[i + 1]) }
const most = option('--max', 1e6), every = option('--every', 1)
const targets = ['ios11.3', 'ios12.2', 'ios13', 'ios13.4', 'ios14', 'ios15', 'ios16.4', 'chrome61', 'chrome80', 'chrome91']

// The releases that the rules know.
const table = new Map()
const source = readFileSync(new URL('../../../Sources/PackCore/Check/Rules/FeatureReleases.swift', import.meta.url), 'utf8')
for (const [, name, ios, chrome] of source.matchAll(/case \.(\w+): Releases\((nil|\.init\([\d, ]+\)), (nil|\d+)\)/g)) {
  const parts = ios.match(/\d+/g)
  table.set(name, { ios: parts ? Number(parts[0]) + Number(parts[1] ?? 0) / 100 : Infinity, chrome: Number(chrome) || Infinity })
}
// esbuild has no older form of these, and leaves them with a warning or as they are.
const kept = new Set(['bigInt', 'importMeta', 'dynamicImport', 'importOptions', 'topLevelAwait', 'stringNames'])

const folder = mkdtempSync(path.join(tmpdir(), 'targets-'))
const list = roots.flatMap(root => [...files(root)]).filter(file => statSync(file).size <= most).filter((_, i) => i % every === 0)
let compiled = 0, refused = 0, differing = 0
const lowered = new Map()
for (const target of targets) {
  const [, engine, number] = /^([a-z]+)(.*)$/.exec(target)
  const [major, minor] = number.split('.').map(Number)
  const limit = major + (minor ?? 0) / 100
  const batch = []
  list.forEach((file, i) => {
    const result = spawnSync('esbuild', [`--target=${target}`, '--log-level=error', '--supported:bigint=true', file],
      { maxBuffer: 1 << 28 })
    if (result.status !== 0) { refused += 1; return }
    const output = path.join(folder, `${target}-${i}.js`)
    writeFileSync(output, result.stdout)
    batch.push([file, output])
  })
  const features = paths => {
    const input = paths.map(p => p + '\tunknown').join('\n') + '\n'
    const result = spawnSync(driver, ['features'], { input, maxBuffer: 1 << 30, encoding: 'utf8' })
    if (result.status !== 0) { console.error('driver:', result.status, result.signal); process.exit(2) }
    const found = []
    for (const line of result.stdout.split('\n')) {
      if (line.startsWith('file ')) found.push([])
      else if (line && line !== 'end') found.at(-1).push(line.split(' '))
    }
    return found
  }
  if (!batch.length) continue
  const after = features(batch.map(item => item[1])), before = features(batch.map(item => item[0]))
  after.forEach((found, i) => {
    compiled += 1
    for (const [name] of before[i]) {
      if (table.get(name)?.[engine] > limit && !found.some(one => one[0] === name)) lowered.set(name, (lowered.get(name) ?? 0) + 1)
    }
    for (const [name, at] of found) {
      if (!(table.get(name)?.[engine] > limit) || kept.has(name)) continue
      // Chrome 94 is the first with static blocks, by MDN and Babel; esbuild 0.17 has 91.
      if (name === 'staticBlocks' && engine === 'chrome' && limit >= 91) continue
      differing += 1
      const content = readFileSync(batch[i][1])
      console.log(`${batch[i][0]} for ${target}: ${name} is left: ${content.subarray(Number(at) - 20, Number(at) + 40)}`)
    }
  })
}
rmSync(folder, { recursive: true })
console.log(`compiled ${compiled} scripts for ${targets.length} engines (${refused} refused by esbuild): ${differing} features are left`)
if (rest.includes('-v')) for (const [name, count] of [...lowered].sort((a, b) => b[1] - a[1])) console.log(`  ${name} gone in ${count}`)
process.exit(differing ? 1 : compiled ? 0 : 2)
