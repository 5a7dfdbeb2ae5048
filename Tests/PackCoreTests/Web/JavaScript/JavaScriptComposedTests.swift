import TestSupport
import Testing

@testable import PackWeb

/// URLs composed of names whose values are in the script, and arguments of loaders.
struct JavaScriptComposedTests {
    private func found(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return JavaScriptReferences(of: bytes.span).references
            .filter { $0.isJoined && $0.kind != .trustedSink }
            .map { $0.kind.rawValue + " " + $0.text + ($0.extent == .whole ? "" : "…") }
    }

    @Test(arguments: [
        (
            "for(var i=1;i<4;i++)a.src='f'+i+'.png'",
            ["asset f1.png", "asset f2.png", "asset f3.png"]
        ),
        ("for(let i=9;i<=10;++i){a.src=`f${i}.png`}", ["asset f9.png", "asset f10.png"]),
        ("for(const n of['a','b']){fetch('/'+n+'.json')}", ["fetch /a.json", "fetch /b.json"]),
        ("['a','b'].forEach(function(n){i.src=n+'.png'})", ["asset a.png", "asset b.png"]),
        (
            "const l=['a','b'];l.map((n)=>h('img',{src:`/${n}.png`}))",
            ["asset /a.png", "asset /b.png"]
        ),
        (
            "const l=['a','b'];for(i=0;i<9;i++)x.src='/'+l[i]+'.png'",
            ["asset /a.png", "asset /b.png"]
        ),
        ("const t='dark';i.src='/'+t+'.png'", ["asset /dark.png"]),
        ("var d='out',u=d+'/a.js';s.src=u", ["asset out/a.js"]),
        // The unknown part is in the pattern.
        ("const t='x'+y;i.src='/'+t+'.png'", ["asset /x…"]),
        ("var b=document.querySelector('base').href;fetch(b+'a.json')", ["fetch a.json"]),
        ("c={dataUrl:'out/'+'a.data'}", ["fetch out/a.data"]),
        ("o={loadPath:'/l/{{lng}}/{{ns}}.json'}", ["fetch /l/…"]),
        ("o={loadPath:'/l/{{lng}}/{{ns}}.json',fallbackLng:'en'}", ["fetch /l/en/…"]),
        ("o={fallbackLng:'en',loadPath:'/l/{{lng}}.json'}", ["fetch /l/en.json"]),
    ])
    func composed(script: String, references: [String]) {
        #expect(found(script) == references)
    }

    @Test(
        "A name that is something else where it is used",
        arguments: [
            "for(var i=0;i<n;i++)a.src='f'+i+'.png'", "for(var i=0;i<4;i+=2)a.src='f'+i+'.png'",
            "for(var i=0;i<4;i++){if(i==2)continue;a.src='f'+i+'.png'}",
            "for(var i=0;i<4;i++){a.src='f'+i+'.png';if(x)break}",
            "for(var i=0;i<4;i++){}a.src='f'+i+'.png'",
            "const t='x';f(t=>{i.src='/'+t+'.png'})", "const t='x';f(({t})=>{i.src='/'+t+'.png'})",
            "const t='x';function g(a,t){i.src='/'+t+'.png'}",
            "const t='x';try{f()}catch(t){i.src='/'+t+'.png'}",
            "let t='x';t=f();i.src='/'+t+'.png'", "{const t='x'}i.src='/'+t+'.png'",
            "const{t}=o;i.src='/'+t+'.png'", "l=['x'];l.push(y);l.forEach(n=>{i.src=n+'.png'})",
            "const t='x';i.src='/'+t.length+'.png'",
            "const t='x';i.src='/'+f(t)+'.png'", "const t='x';i.src='/'+o.t+'.png'",
            "for(const n of['a',b]){i.src=n+'.png'}",
        ])
    func unknown(script: String) {
        #expect(found(script).isEmpty)
    }

    @Test("The number of addresses is bounded")
    func bounded() {
        #expect(found("for(i=0;i<128;i++)a.src='f'+i+'.png'").count == 128)
        #expect(found("for(i=0;i<129;i++)a.src='f'+i+'.png'").isEmpty)
    }

    @Test("Names for AMD loaders and their settings")
    func amd() {
        let text = """
            require.config({baseUrl:'js',paths:{a:'lib/a','b/c':['x','y']}});
            require(['a','b/c'],f);define('own',['require','d'],g);require(['tried'],f,e);
            typeof define=='function'&&define.amd?define(['lib'],f):f();x.define(['no']);require(['o',p])
            """
        let bytes = Array(text.utf8)
        let amd = JavaScriptReferences(of: bytes.span).amd
        #expect(amd.baseURL == Array("js".utf8))
        #expect(amd.paths == [Array("a".utf8): Array("lib/a".utf8), Array("b/c".utf8): nil])
        #expect(amd.names == [Array("own".utf8)])
        #expect(!amd.isOpen && amd.hasConfiguration)
        #expect(
            amd.dependencies.map { String(decoding: $0.name, as: UTF8.self) }
                == ["a", "b/c", "require", "d", "lib", "o"])
        for dependency in amd.dependencies {
            #expect(dependency.range.map { bytes[$0] } == dependency.name)
        }
    }

    @Test(
        "Settings that are not read leave the names open",
        arguments: [
            "require.config(c)", "require.config({baseUrl:b})", "require.config({paths:p})",
            "require.config({paths:{...p}})", "require.config({bundles:{a:['b']}})",
            "require.config({map:{'*':{a:'b'}}})", "requirejs.config({packages:['a']})",
        ])
    func open(script: String) {
        let bytes = Array(script.utf8)
        #expect(JavaScriptReferences(of: bytes.span).amd.isOpen)
    }

    /// Values that depend on each other, or may be others, are not certain.
    @Test(arguments: [
        ("i.src='f/'+n+'.png'", "", false),
        ("const d='f/';i.src=d+'a.png'", "f/a.png", false),
        ("i.src=x?'a.png':'b.png'", "a.png b.png", true),
        ("const d=x?'a':'b';i.src=d+'/'+d+'.png'", "", false),
        ("const d=x?'a':'b';i.src=d+'.png';j.src=d+'.gif'", "a.gif a.png b.gif b.png", true),
        ("const c={d:'f/'};i.src=c.d+'a.png'", "f/a.png", true),
        ("const c={...o,d:'f/'};i.src=c['d']+'a.png'", "", false),
        ("const l=['a','b'];for(const n of l)i.src=n+'.png'", "a.png b.png", true),
        ("for(const n of ['a','b'])i.src=n+'.png'", "a.png b.png", false),
        ("const e={a:'1',b:'2'};for(const n of ['a','b'])i.src='f/'+n+e[n]+'.png'", "", false),
        ("for(let k=0;k<2;k++)i.src='f/'+k+'.png'", "f/0.png f/1.png", false),
        ("for(let k=0;k<2;k++)i.src='f/'+(k+1)+'.png'", "", false),
        ("const l=['a',...b];i.src='f/'+l[1]+'.png'", "", false),
    ])
    func certainty(_ script: String, _ files: String, _ isLikely: Bool) {
        let bytes = Array(script.utf8)
        let found = JavaScriptReferences(of: bytes.span).references
            .filter { $0.kind == .asset && $0.extent == .whole }
        #expect(found.map(\.text).sorted().joined(separator: " ") == files)
        #expect(found.allSatisfy { $0.isLikely == isLikely })
    }
}
