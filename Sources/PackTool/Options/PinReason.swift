import ArgumentParser
import PackOrigin

/// The reason for pinning a release.
struct PinReason: ParsableArguments {
    @Option(
        help: ArgumentHelp("The reason for the pin, such as 'app 3.2'.", valueName: "text"))
    var reason: String?

    func validate() throws { try checkLine(reason, "--reason", atMost: Pin.reasonLimit) }
}
