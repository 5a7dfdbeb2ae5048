// Compares the tree of each script with acorn's: the kind, start and end of every node.
//
//   node compare-tree.mjs DRIVER FILE-OR-FOLDER… [--max BYTES] [--total BYTES] [-v EXAMPLES]
//
// DRIVER is Tests/Rigs/Readers, built. Exit code 0: no difference; 1: some.
import { createRequire } from 'node:module'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { bytePositions, files } from './scripts.mjs'
const require = createRequire('/usr/share/nodejs/acorn/package.json')
const acorn = require('/usr/share/nodejs/acorn')
const [driver, ...rest] = process.argv.slice(2)
const roots = rest.slice(0, rest.findIndex(word => word.startsWith('-')) >>> 0)
const option = (name, value) => { const i = rest.indexOf(name); return i < 0 ? value : Number(rest[i + 1]) }
const most = option('--max', 3e6), total = option('--total', 150e6), verbose = option('-v', 3)

// Kinds of the comparison. null: not compared.
const kinds = {
  CallExpression: 'call', NewExpression: 'new', ImportExpression: 'import-call', MemberExpression: n => n.computed ? 'index' : 'member',
  Literal: n => typeof n.value === 'string' ? 'string' : n.regex ? 'regex' : typeof n.value === 'boolean' ? 'boolean' : n.value === null && n.raw === 'null' ? 'null' : 'number',
  TemplateLiteral: 'template', TaggedTemplateExpression: 'tagged',
  FunctionExpression: 'function', FunctionDeclaration: 'function', ArrowFunctionExpression: 'arrow',
  ConditionalExpression: 'conditional', BinaryExpression: 'binary', LogicalExpression: 'binary',
  AssignmentExpression: 'assign', UnaryExpression: 'unary', UpdateExpression: 'update',
  SequenceExpression: 'sequence', ObjectExpression: 'object', ArrayExpression: 'array',
  ClassDeclaration: 'class', ClassExpression: 'class', SpreadElement: 'spread', AwaitExpression: 'await', YieldExpression: 'yield',
  VariableDeclaration: 'variables', VariableDeclarator: 'declarator', IfStatement: 'if', ForStatement: 'for',
  ForInStatement: 'for-in', ForOfStatement: 'for-of', WhileStatement: 'while', DoWhileStatement: 'do', ReturnStatement: 'return',
  ThrowStatement: 'throw', TryStatement: 'try', CatchClause: 'catch', SwitchStatement: 'switch', SwitchCase: 'case', BlockStatement: 'block',
  LabeledStatement: 'label', ExpressionStatement: 'statement', ImportDeclaration: 'import', ExportNamedDeclaration: 'export',
  ExportDefaultDeclaration: 'export', ExportAllDeclaration: 'export', MetaProperty: 'meta', BreakStatement: 'break', ContinueStatement: 'continue', ThisExpression: 'this', Identifier: 'name', PrivateIdentifier: 'private', Super: 'super',
  ArrayPattern: 'array', ObjectPattern: 'object', AssignmentPattern: 'assign', RestElement: 'spread', TemplateElement: 'text', Property: 'property',
  MethodDefinition: 'method-definition', PropertyDefinition: 'field', StaticBlock: null, EmptyStatement: 'empty', DebuggerStatement: 'debugger', WithStatement: 'with',
  ImportSpecifier: 'import-specifier', ImportDefaultSpecifier: 'import-default', ImportNamespaceSpecifier: 'import-namespace', ExportSpecifier: 'export-specifier', Program: null, ClassBody: null, ChainExpression: null,
}
function expected(text, sourceType) {
  const bytes = bytePositions(text)
  const tree = acorn.parse(text, { ecmaVersion: 'latest', sourceType, allowHashBang: true, allowReturnOutsideFunction: true,
    allowAwaitOutsideFunction: sourceType === 'module' })
  const lines = []
  const todo = [[tree, null]]
  while (todo.length) {
    const [node, parent] = todo.pop()
    let kind = kinds[node.type]
    if (typeof kind === 'function') kind = kind(node)
    // A method's function has the range of its parameters and body: compared by the property.
    if (kind === 'function' && parent && (parent.type === 'Property' || parent.type === 'MethodDefinition') && parent.value === node && (parent.method || parent.kind === 'get' || parent.kind === 'set' || parent.type === 'MethodDefinition')) kind = 'method'
    if (kind === 'template' && parent?.type !== 'TaggedTemplateExpression' && node.quasis.length === 1) kind = 'string'
    if (kind === 'text' && parent.quasis.length === 1 && parent.whole) kind = null
    if (node.type === 'TemplateLiteral' && kind === 'string') node.whole = true
    if (kind === undefined) throw Error('no kind for ' + node.type)
    if (kind) lines.push(`${kind} ${bytes[node.start]} ${bytes[node.end]}`)
    for (const key in node) {
      const value = node[key]
      if (value && typeof value === 'object') {
        if (Array.isArray(value)) { for (const v of value) if (v && v.type) todo.push([v, node]) }
        else if (value.type && key !== 'value' || value.type && typeof value.start === 'number') todo.push([value, node])
      }
    }
  }
  return lines
}
let compared = 0, refused = 0, size = 0, nodes = 0
const classes = new Map(), bad = new Set()
const note = (c, item) => { if (!classes.has(c)) classes.set(c, []); classes.get(c).push(item) }
let batch = []
function flush() {
  if (!batch.length) return
  const result = spawnSync(driver, ['trees'], { input: batch.map(b => b.path + '\t' + b.goal).join('\n') + '\n', maxBuffer: 1 << 30, encoding: 'latin1' })
  if (result.status !== 0) {
    console.log('driver:', result.status, result.signal, 'in', batch.map(b => b.path).join(' ')); note('CRASH', [batch[0].path, '', 0]); batch = []; return
  }
  const ours = new Map(); let current
  for (const line of result.stdout.split('\n')) {
    if (line.startsWith('file ')) ours.set(Buffer.from(line.slice(5), 'latin1').toString('utf8'), current = [])
    else if (line !== 'end' && line) current?.push(line)
  }
  for (const { path, lines, content } of batch) {
    const mine = ours.get(path) ?? []
    const count = new Map()
    for (const l of lines) count.set(l, (count.get(l) ?? 0) + 1)
    for (const l of mine) count.set(l, (count.get(l) ?? 0) - 1)
    for (const [line, n] of count) {
      if (n === 0) continue
      const [kind, start, end] = line.split(' ')
      if (n > 0) note('missing ' + kind, [path, line, content])
      else note('extra ' + kind, [path, line, content])
      bad.add(path)
    }
    nodes += lines.length; compared += 1
  }
  batch = []
}
let batchSize = 0
for (const path of roots.flatMap(root => [...files(root)])) {
  let content
  try { content = readFileSync(path) } catch { continue }
  if (content.length > most || size + content.length > total) continue
  const text = content.toString('utf8')
  if (!Buffer.from(text, 'utf8').equals(content)) { refused++; continue }
  let lines, goal, failure
  for (goal of ['script', 'module']) {
    try { lines = expected(text, goal); break } catch (error) { failure = error }
  }
  if (!lines) { refused++; continue }
  size += content.length
  batch.push({ path, goal, lines, content }); batchSize += content.length
  if (batch.length >= 100 || batchSize > 8e6) { flush(); batchSize = 0 }
}
flush()
console.log(`compared ${compared} scripts, ${(size / 1e6).toFixed(1)} MB (${refused} refused by acorn), ${nodes} nodes; ${bad.size} differ`)
for (const [c, items] of [...classes].sort((a, b) => b[1].length - a[1].length)) {
  console.log(`${items.length} ${c} in ${new Set(items.map(i => i[0])).size} scripts`)
  for (const [path, line, content] of items.slice(0, verbose)) {
    if (!content) continue
    const [, a, b] = line.split(' ').map(Number)
    console.log('    ', path.slice(-90), line, JSON.stringify(content.subarray(Math.max(0, a - 40), a).toString()), JSON.stringify(content.subarray(a, Math.min(b, a + 100)).toString()))
  }
}
process.exit(bad.size || classes.size ? 1 : 0)
