// Places where a slash could be either; acorn decides (compare-acorn.sh).
var a = 1, g = 2, of = 3, r = 4, yieldless = 5, o = {}
a = a / r / g; a = (a) / r / g; a = [a] / r / g; if (a) /r/g.test(a); a = {} / r / g
a = function () { } / r / g; a = class { } / r / g; a = of / r / g; a = a.if / r / g
function f() { } /r/g.test(a); class A { } /r/g.test(a); { } /r/g.test(a)
for (const x of/r/g[Symbol.split]('a')) a = x / r / g
a = a ? /r/g : 2
function r_() { return /r/g } function n_() { return { x: 1 } / r / g }
a = `${a / r / g}${`${/[/]}`/}`}${{ a: /}/ }.a}` / r / g
switch (a) { case /r/g: { } /r/g.test(a); break; default: /r/g.test(a) }
l: { } /r/g.test(a)
async function h() { } /r/g.test(a)
a = function* () { yield /r/g } / r / g
a = { if() { }, get() { return 1 / r / g }, async *x() { }, [a / r / g]: /r/g, static: 1 / r / g } / r / g
class B extends class { }.constructor { static { /r/g.test(a) } static x = /r/g; #p = 1 / r / g; get() { return #p in this / r } if() { } }
a = a++ / r / g; a = 1_000n / 2n / 3n; a = a?.5 : /r/g
a = () => { }
/r/g.test(a)
do /r/g.test(a); while (a) /r/g.test(a)
while (a-->0) a = a / r / g
throw /r/g
