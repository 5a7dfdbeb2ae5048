// Compares the syntax that old engines lack with acorn: the first ECMAScript version that parses a script,
// and each kind of feature with its first position.
//
//   node compare-features.mjs DRIVER FILE-OR-FOLDER… [--max BYTES] [-v]
//
// DRIVER is Tests/Rigs/Readers, built. Exit code 0: no difference; 1: some; 2: could not compare.
import { createRequire } from 'node:module'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { bytePositions, files } from './scripts.mjs'

const acorn = createRequire('/usr/share/nodejs/acorn/package.json')('/usr/share/nodejs/acorn')
const [driver, ...rest] = process.argv.slice(2)
const roots = rest.slice(0, rest.findIndex(word => word.startsWith('-')) >>> 0)
const most = rest.includes('--max') ? Number(rest[rest.indexOf('--max') + 1]) : 3e6

// The version of ECMAScript with each feature; 2015 is the least that acorn is asked for.
const versions = {
  exponentiation: 2016, asyncFunctions: 2017, trailingCommas: 2017,
  objectSpread: 2018, asyncGenerators: 2018, forAwait: 2018, templateEscapes: 2018,
  regexpDotAll: 2018, regexpLookBehind: 2018, regexpNamedGroups: 2018, regexpProperties: 2018,
  optionalCatchBinding: 2019,
  dynamicImport: 2020, importMeta: 2020, bigInt: 2020, optionalChaining: 2020, nullishCoalescing: 2020,
  exportNamespace: 2020, numericSeparators: 2021, logicalAssignment: 2021,
  classFields: 2022, staticFields: 2022, privateFields: 2022, privateMethods: 2022, privateIn: 2022,
  staticBlocks: 2022, topLevelAwait: 2022, regexpIndices: 2022, stringNames: 2022, hashbang: 2023,
}
const newest = Math.max(...Object.values(versions))

const parse = (text, sourceType, ecmaVersion, onToken) =>
  acorn.parse(text, { ecmaVersion, sourceType, allowReturnOutsideFunction: true, ...onToken && { onToken } })

/// The features by acorn's tree, each with its first position.
function features(text, tree, tokens) {
  const found = new Map()
  const note = (name, at) => { if (!(found.get(name) <= at)) found.set(name, at) }
  for (let i = 1; i < tokens.length; i++) {
    if (tokens[i].type.label === ')' && tokens[i - 1].type.label === ',') note('trailingCommas', tokens[i - 1].start)
  }
  if (text.startsWith('#!')) note('hashbang', 0)
  const functions = /^(FunctionExpression|FunctionDeclaration|ArrowFunctionExpression|PropertyDefinition|StaticBlock)$/
  const todo = [[tree, 0]]
  while (todo.length) {
    const [node, depth] = todo.pop()
    const isKey = node.key?.type === 'PrivateIdentifier'
    switch (node.type) {
      case 'BinaryExpression':
        if (node.operator === '**') note('exponentiation', null)
        if (node.operator === 'in' && node.left.type === 'PrivateIdentifier') note('privateIn', node.left.start)
        break
      case 'AssignmentExpression':
        if (node.operator === '**=') note('exponentiation', null)
        if (/^(\|\||&&|\?\?)=$/.test(node.operator)) note('logicalAssignment', null)
        break
      case 'LogicalExpression': if (node.operator === '??') note('nullishCoalescing', null); break
      case 'FunctionExpression': case 'FunctionDeclaration': case 'ArrowFunctionExpression':
        if (node.async) note(node.generator ? 'asyncGenerators' : 'asyncFunctions', null)
        break
      case 'CallExpression': if (node.optional) note('optionalChaining', null); break
      case 'MemberExpression': if (node.optional) note('optionalChaining', null); break
      case 'ObjectExpression': case 'ObjectPattern':
        for (const item of node.properties) {
          if (item.type === 'SpreadElement' || item.type === 'RestElement') note('objectSpread', item.start)
        }
        break
      case 'ForOfStatement':
        if (node.await) { note('forAwait', node.start); if (!depth) note('topLevelAwait', node.start) }
        break
      case 'AwaitExpression': if (!depth) note('topLevelAwait', node.start); break
      case 'CatchClause': if (!node.param) note('optionalCatchBinding', node.start); break
      case 'ImportExpression': note('dynamicImport', node.start); break
      case 'MetaProperty': if (node.meta.name === 'import') note('importMeta', node.start); break
      case 'Literal':
        if (node.bigint) note('bigInt', node.start)
        if (typeof node.value === 'number' || node.bigint) { if (node.raw.includes('_')) note('numericSeparators', node.start) }
        if (node.regex) {
          const { flags, pattern } = node.regex
          if (flags.includes('s')) note('regexpDotAll', node.start)
          if (flags.includes('d')) note('regexpIndices', node.start)
          // Escapes and classes hide parentheses.
          const plain = pattern.replace(/\\[^]/g, '').replace(/\[[^\]]*\]/g, '')
          if (/\(\?<[=!]/.test(plain)) note('regexpLookBehind', node.start)
          if (/\(\?<[^=!]/.test(plain)) note('regexpNamedGroups', node.start)
          if (flags.includes('u') && /(^|[^\\])(\\\\)*\\[pP]\{/.test(pattern)) note('regexpProperties', node.start)
        }
        break
      case 'PropertyDefinition':
        note(isKey ? 'privateFields' : 'classFields', node.start)
        if (node.static) note('staticFields', node.start)
        break
      case 'MethodDefinition': if (isKey) note('privateMethods', node.start); break
      case 'StaticBlock': note('staticBlocks', node.start); break
      case 'ExportAllDeclaration': if (node.exported) note('exportNamespace', node.start); break
      case 'ExportSpecifier': case 'ImportSpecifier':
        for (const name of [node.local, node.exported, node.imported]) if (name?.type === 'Literal') note('stringNames', name.start)
        break
      case 'TaggedTemplateExpression':
        for (const part of node.quasi.quasis) if (part.value.cooked === null) note('templateEscapes', null)
        break
    }
    const inner = functions.test(node.type) ? depth + 1 : depth
    for (const key in node) {
      const value = node[key]
      // A computed key runs outside of its field.
      const level = key === 'key' ? depth : inner
      if (Array.isArray(value)) { for (const item of value) if (item?.type) todo.push([item, level]) }
      else if (value && typeof value.type === 'string' && typeof value.start === 'number') todo.push([value, level])
    }
  }
  return found
}

let compared = 0, refused = 0, size = 0, differing = 0
const counts = new Map()
const differ = (path, text) => { differing += 1; console.log(`${path}: ${text}`) }
let batch = [], batchSize = 0
function flush() {
  if (!batch.length) return
  const input = batch.map(item => item.path + '\t' + item.goal).join('\n') + '\n'
  const result = spawnSync(driver, ['features'], { input, maxBuffer: 1 << 30, encoding: 'latin1' })
  if (result.status !== 0) { console.error('driver:', result.status, result.signal); process.exit(2) }
  const ours = new Map()
  let current
  for (const line of result.stdout.split('\n')) {
    if (line.startsWith('file ')) ours.set(Buffer.from(line.slice(5), 'latin1').toString(), current = new Map())
    else if (line && line !== 'end') { const [name, at] = line.split(' '); current.set(name, Number(at)) }
  }
  for (const { path, goal, text, tree, tokens } of batch) {
    const mine = ours.get(path)
    const bytes = bytePositions(text)
    if (mine.has('errors')) { differ(path, 'errors in our tree'); continue }
    const theirs = features(text, tree, tokens)
    for (const name of Object.keys(versions)) {
      const [a, b] = [theirs.has(name), mine.has(name)]
      if (a) counts.set(name, (counts.get(name) ?? 0) + 1)
      if (a !== b) differ(path, `${name}: acorn ${a ? bytes[theirs.get(name)] : 'none'}, ours ${mine.get(name) ?? 'none'}`)
      else if (a && theirs.get(name) !== null && bytes[theirs.get(name)] !== mine.get(name)) {
        differ(path, `${name}: acorn at ${bytes[theirs.get(name)]}, ours at ${mine.get(name)}`)
      }
    }
    const needed = Math.max(2015, ...[...mine.keys()].map(name => versions[name] ?? 0))
    let first = newest
    while (first > 2015) {
      try { parse(text, goal, first - 1) } catch { break }
      first -= 1
    }
    if (first !== needed) differ(path, `acorn parses it from ${first}, our features are of ${needed}`)
    compared += 1
  }
  batch = []
  batchSize = 0
}
for (const path of roots.flatMap(root => [...files(root)])) {
  let content
  try { content = readFileSync(path) } catch { continue }
  if (content.length > most) continue
  const text = content.toString('utf8')
  if (!Buffer.from(text, 'utf8').equals(content)) { refused += 1; continue }
  let tree, goal, tokens
  for (goal of ['script', 'module']) {
    try { tree = parse(text, goal, newest, tokens = []); break } catch { }
  }
  if (!tree) { refused += 1; continue }
  size += content.length
  batchSize += content.length
  batch.push({ path, goal, text, tree, tokens })
  if (batch.length >= 50 || batchSize > 8e6) flush()
}
flush()
console.log(`compared the features of ${compared} scripts, ${(size / 1e6).toFixed(1)} MB (${refused} refused by acorn); ${differing} differences`)
if (rest.includes('-v')) for (const [name, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`  ${name} in ${count}`)
process.exit(differing ? 1 : compared ? 0 : 2)
