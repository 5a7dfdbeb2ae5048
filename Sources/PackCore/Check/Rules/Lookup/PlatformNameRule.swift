import PackProfile
import PackURL

extension Rule {
    /// A file for which the app's framework serves its own script.
    static let platformName = Rule(
        "platform-name", group: .lookup,
        level: .init("error if the handler is Capacitor's") {
            $0.frameworkAnswers(Array("cordova.js".utf8)) ? .error : nil
        },
        document: { document, sink in
            for reference in document.references where reference.use.isFetched {
                guard reference.resolution.outcome == .notARequest(.platform),
                    let url = reference.resolution.url,
                    let path = document.profile.packagePath(of: url).map(PercentEncoding.decode),
                    !path.elementsEqual("cordova.js".utf8),
                    document.profile.frameworkAnswers(path),
                    let file = document.site.listing.index(of: path),
                    document.site.files[file].size > 0
                else { continue }
                sink.report(
                    reference, "'\(reference.text)' is packaged, and the app answers with nothing")
            }
        })
}
