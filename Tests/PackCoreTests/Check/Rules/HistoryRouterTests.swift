import PackCheck
import PackGround
import PackProfile
import Testing

/// Routers that read the path of the launch URL.
struct HistoryRouterTests {
    /// The history of React Router.
    private static let react =
        #"function t(r,a){let{pathname:i,search:o,hash:s}=r.location;return Y("",{pathname:i},a.state&&a.state.usr||null)}"#
    private static let hash =
        #"function h(i,o){let{pathname:s="/"}=p(i.location.hash.substr(1));return Y("",{pathname:s},o.state&&o.state.usr||null)}"#
    private static let vue4 =
        ##"function c(e,t){const{pathname:n,search:o,hash:r}=t,a=e.indexOf("#");return n+o+r}"##
    private static let vue4Hash =
        ##"function g(e){return e=location.host?e||location.pathname+location.search:"",e.includes("#")||(e+="#"),w(e)}"##
    private static let vue3 = #"function V(t){var e=t.mode||"hash";this.p=location.pathname}"#

    /// The severities of a page with one script; `none` without a finding.
    private func answer(
        _ script: String, launch: String = "index.html", profile: Profile = .pathStrict,
        head: String = "", name: String = "index.html"
    ) async throws -> String {
        let files = [
            name:
                #"<!doctype html><meta charset=utf-8>\#(head)<script type=module src=./a.js></script>"#,
            "a.js": script,
        ]
        var memory: [AssetPath: [UInt8]] = [:]
        for (path, content) in files { memory[try AssetPath(path)] = Array(content.utf8) }
        var profile = profile
        profile.setLaunch(launch)
        let site = SiteIndex(memory: memory, profile: profile, options: CheckOptions())
        let rules = ["js-history-router"].compactMap { RuleCatalog.rule($0) }
        let found = try await Checker(site: site, rules: rules).check(jobs: 1).findings
        return found.map(\.severity.rawValue).joined(separator: " ")
    }

    @Test(arguments: [
        // The order of keys, and the forms of elements.
        #"[{path:"/",element:j(H,{})},{path:"*",element:j(N,{})}]"#,
        #"[{element:(0,q.jsx)(H,{}),path:`/`},{element:(0,q.jsx)(N,{}),path:`*`}]"#,
        #"[(0,q.jsx)(R,{path:"/",element:(0,q.jsx)(H,{})}),(0,q.jsx)(R,{path:"*",element:(0,q.jsx)(N,{})})]"#,
        #"c(R,null,c(R,{path:"/",element:c(H,null)}),c(R,{path:"*",element:c(N,null)}))"#,
        #"[{path:"/",element:j(L,{}),children:[{index:!0,element:j(H,{})},{path:"about",element:j(A,{})},{path:"*",element:j(N,{})}]}]"#,
        #"[{children:[{path:"users/:id",element:j(U,{})}],element:j(L,{}),path:"/"},{path:"*",element:j(N,{})}]"#,
        // Components in the same guard differ by what they contain.
        #"[{path:"/",element:j(G,{children:j(H,{})})},{path:"*",element:j(G,{children:j(N,{})})}]"#,
        // No route matches at all.
        #"[{path:"/",element:j(H,{})},{path:"/about",element:j(A,{})}]"#,
        #"[{"path":"/","element":H},{"path":"/about","element":A}]"#,
    ])
    func aTableWithoutARouteIsAnError(_ table: String) async throws {
        #expect(try await answer(Self.react + "R(\(table))") == "error")
    }

    @Test(arguments: [
        #"[{path:"/",element:j(H,{})},{path:"*",element:j(V,{to:"/",replace:!0})}]"#,
        #"[{path:"/",element:j(H,{})},{path:"/:shop",element:j(S,{})}]"#,
        #"[{path:P.home,element:j(H,{})},{path:"*",element:j(N,{})}]"#,
        #"[{path:"/",element:j(H,{})},{path:"*",element:j(N,{})}],{basename:base()}"#,
        "[]",
    ])
    func whatIsNotCertainIsAWarning(_ table: String) async throws {
        #expect(try await answer(Self.react + "R(\(table))") == "warning")
    }

    @Test(arguments: [
        #"[{path:"/index.html",element:j(H,{})},{path:"*",element:j(N,{})}]"#,
        #"[{path:"/",element:j(H,{})},{path:"*",element:j(H,{})}]"#,
        #"[{path:"*",element:j(H,{})}]"#, #"[{path:"/*",element:j(H,{})}]"#,
        #"[{path:"/",element:j(H,{})},{path:"*",element:j(N,{})}],{basename:"/index.html"}"#,
    ])
    func aRouteForTheLaunchURLIsSilent(_ table: String) async throws {
        #expect(try await answer(Self.react + "R(\(table))") == "")
    }

    private static let table =
        #"[{path:"/",component:H},{path:"/a",component:A},{path:"*",component:N}]"#

    @Test(arguments: [
        (hash + "R(\(table))", ""), (react + hash + "R(\(table))", ""),
        (react + "R(\(table))", "error"),
        (vue4 + "R({routes:\(table)})", "error"), (vue4 + vue4Hash + "R({routes:\(table)})", ""),
        (vue3 + #"new V({mode:"history",routes:\#(table)})"#, "error"),
        (vue3 + "new V({routes:\(table)})", ""), (vue3 + #"new V({mode:"history"})"#, ""),
        // Names that a build keeps decide between histories that are both there.
        (react + hash + "n(0,x.BrowserRouter,R(\(table)))", "error"),
        (react + hash + "n(0,x.HashRouter,R(\(table)))", ""),
        // Angular removes the name of the file.
        (react + #"u.replace(/\/index.html$/,"");R(\#(table))"#, ""),
        // Only a table, or only code that reads the path.
        ("R(\(table))", ""), ("x=location.pathname;addEventListener('popstate',f)", ""),
        (
            #"const r={"/":a,"/b":c};(r[location.pathname]||d)();addEventListener("popstate",f);history.pushState({},"",u)"#,
            "warning"
        ),
        (
            #"const r={"/":a,"/b":c};(r[location.pathname]||r["/"])();addEventListener("popstate",f);history.pushState({},"",u)"#,
            ""
        ),
        (
            #"throw Error("https://github.com/elm/core/blob/1.0.0/hints/"+e);addEventListener("popstate",f)"#,
            "error"
        ),
    ])
    func theCodeOfTheHistoryDecides(_ script: String, _ severity: String) async throws {
        #expect(try await answer(script) == severity)
    }

    /// Code of the app itself, with a table that it compares with the path.
    @Test(arguments: [
        (#"[{path:"/",element:h},{path:"/cart/:id",element:c}]"#, "warning"),
        (#"[{path:"/",element:h},{path:"/:page",element:c}]"#, ""),
        (#"[{path:"/",element:h},{path:"*",element:c}]"#, ""), (#"[{path:"/",element:h}]"#, ""),
        (#"[{path:"/",element:h},{path:"/index.html",element:h}]"#, ""),
        (#"[{path:"/",element:h},{path:"/cart",element:c}];a(location.hash.slice(1))"#, ""),
    ])
    func aTableOfTheAppItself(_ table: String, _ answer: String) async throws {
        let script =
            "const p=()=>window.location.pathname||'/',t=\(table);"
            + "function i(){d.textContent=t.find(e=>m(e,p())).element}addEventListener('popstate',i);i()"
        #expect(try await self.answer(script) == answer)
    }

    @Test func theLaunchURLDecides() async throws {
        let script = Self.react + "R(\(Self.table))"
        #expect(try await answer(script, launch: "/") == "")
        #expect(try await answer(script, profile: .capacitor) == "")
        #expect(try await answer(script, profile: .cordova) == "error")
        #expect(try await answer(script, launch: "app.html", name: "app.html") == "error")
        var secure = Profile.pathStrict
        secure.pageOrigin = .https
        #expect(try await answer(script, profile: secure) == "")
    }

    @Test func theRootMustBeAnswered() async throws {
        var memory: [AssetPath: [UInt8]] = [:]
        memory[try AssetPath("index.html")] = Array("<!doctype html>".utf8)
        func findings(_ change: (inout Profile) -> Void) async throws -> [String] {
            var profile = Profile.pathStrict
            change(&profile)
            profile.setLaunch("/")
            let site = SiteIndex(memory: memory, profile: profile, options: CheckOptions())
            let rules = ["entry-missing"].compactMap { RuleCatalog.rule($0) }
            return try await Checker(site: site, rules: rules).check(jobs: 1).findings
                .map(\.message)
        }
        #expect(try await findings { _ in }.count == 1)
        #expect(try await findings { $0.client.indexFile = .directory } == [])
        #expect(try await findings { $0.client.indexFile = .startPage } == [])
    }
}
