// An app that shows a release of the example pages and keeps it up to date.

import PackClient
import PackClientURLSession
import SwiftUI

@main
struct ExampleApp: App {
    @StateObject private var model = Model()
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup { ContentView(model: model) }
            // Also after the launch.
            .onChange(of: phase) { phase in
                if phase == .active { model.update(model.start.mustUpdate ? .now : .nextStart) }
            }
    }
}

struct ContentView: View {
    @ObservedObject var model: Model

    var body: some View {
        VStack {
            // A new web view for each start.
            ReleaseView(client: model.client, start: model.start).id(model.starts)
            if let progress = model.progress { ProgressView(value: progress) }
            Text(model.status).font(.footnote)
            HStack {
                Button("Update") { model.update(isForced: true) }
                Button("Run update") { model.update(.now, isForced: true) }
                Button("Preview") { model.use(channel: "preview") }
                Button("Production") { model.use(channel: "production") }
            }
        }
    }
}

@MainActor final class Model: ObservableObject {
    let client: PackClient
    @Published private(set) var start: PackClient.Start
    @Published private(set) var starts = 1
    @Published private(set) var status = ""
    @Published private(set) var progress: Double?
    private var isUpdating = false

    init() {
        var configuration = PackClient.Configuration(
            origin: "https://cdn.example.com/shop", app: "shop",
            directory: URL.applicationSupportDirectory.appending(path: "offline").path)
        configuration.embedded = Bundle.main.path(forResource: "offline", ofType: nil)
        configuration.nativeVersion =
            Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String
        configuration.transport = .urlSession()
        try? configuration.prepareDirectory()
        do { client = try PackClient(configuration) } catch { fatalError(error.description) }
        start = client.start()
    }

    func use(channel: String) {
        do { try client.use(channel: channel) } catch { status = error.description }
        update(.now)
    }

    func update(_ apply: PackClient.Apply = .nextStart, isForced: Bool = false) {
        if isUpdating { return }
        isUpdating = true
        var options = PackClient.UpdateOptions()
        options.apply = apply
        options.isForced = isForced
        let update = Task { await run(options) }
        // An update holds a lock, and iOS ends an app that is suspended with one.
        let background = UIApplication.shared.beginBackgroundTask(withName: "update") {
            update.cancel()
        }
        Task {
            await update.value
            await client.waitForUpdates()
            isUpdating = false
            UIApplication.shared.endBackgroundTask(background)
        }
    }

    private func run(_ options: PackClient.UpdateOptions) async {
        defer { progress = nil }
        do {
            for try await event in client.update(options) { handle(event) }
        } catch { status = "\(error)" }
    }

    private func handle(_ event: PackClient.Event) {
        switch event {
        case .checking, .held(.notDue): break
        case .downloading(let bytes, let total): progress = Double(bytes) / Double(max(total, 1))
        case .installed(let release): status = "\(release.version) runs at the next start"
        case .started(let start): (self.start, starts) = (start, starts + 1)
        case .upToDate: status = "up to date"
        case .held(let reason): status = "no update: \(reason)"
        }
    }
}
