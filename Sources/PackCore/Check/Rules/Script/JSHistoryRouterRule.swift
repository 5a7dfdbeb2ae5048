import PackGround
import PackProfile
import PackWeb

extension Rule {
    /// A router without a route for the launch URL.
    static let jsHistoryRouter = Rule(
        "js-history-router", group: .script,
        level: .init(
            """
            error if the routes are known, else warning, if the handler answers the requests for \
            pages
            """
        ) { $0.hasPackagedPages ? .error : nil },
        site: { context, sink in
            guard let router = HistoryRouter(of: context) else { return }
            let canOpenRoot = !context.profile.opensRoot && context.opensLaunchPageByRoot
            sink.report(
                file: router.file, at: router.range, router.message(context.profile),
                notes: router.notes, severity: router.severity,
                setting: canOpenRoot
                    ? SettingProposal("launch", "/") : router.handlerSetting(context.profile))
        })
}

extension HistoryRouter {
    /// What the device shows.
    fileprivate func message(_ profile: Profile) -> String {
        let path = "'\(printable(profile.launchPath))', the path of the launch URL"
        func pattern(_ route: RouterParts.Route) -> String {
            "'\(printable(route.route.pattern))'"
        }
        switch outcome {
        case .notFound(let route):
            return """
                the app shows its page for unknown addresses: of its routes, only \(pattern(route)) \
                matches \(path)
                """
        case .nothing: return "the app shows no page: none of its routes matches \(path)"
        case .redirect(let route):
            return """
                of the app's routes, only \(pattern(route)) matches \(path); it opens another one, \
                which newer systems refuse
                """
        case .parameter(let route):
            return "the app opens its route \(pattern(route)) for \(path)"
        case .outsideBase(let base):
            return "the app shows no page: its base '\(printable(base))' does not begin \(path)"
        case .failure:
            return "the program stops when it starts: Elm reads only addresses of http and https"
        case .unknown, .page: return "the app selects its page by \(path)"
        }
    }

    /// The setting for a handler that answers the root, with which `launch: /` is proposed.
    fileprivate func handlerSetting(_ profile: Profile) -> SettingProposal? {
        guard !profile.opensRoot, profile.client.lookUp == .path,
            profile.client.indexFile == .none
        else { return nil }
        if case .failure = outcome { return nil }
        return SettingProposal("profile.index-file", "root")
    }

    fileprivate var notes: [String] {
        switch outcome {
        case .failure, .outsideBase: []
        case .unknown, .page: ["its routes could not be read"]
        default:
            [isComplete ? "\(count) routes were read" : "\(count) routes were read, but not all"]
        }
    }

    fileprivate var severity: Severity {
        switch outcome {
        case .failure, .outsideBase: .error
        case .notFound, .nothing: isComplete ? .error : .warning
        case .redirect, .parameter, .unknown, .page: .warning
        }
    }
}
