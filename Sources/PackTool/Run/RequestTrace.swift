import PackOrigin

extension Console {
    /// Wraps a transport to print a line for each finished request with `--verbose`.
    func observing(_ transport: any HTTPTransport) -> any HTTPTransport {
        guard isVerbose else { return transport }
        return ObservedTransport(transport, clock: environment.monotonicSeconds) { [self] in
            trace("\($0)")
        }
    }
}
