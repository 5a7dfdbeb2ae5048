import PackOrigin

extension Console {
    /// A transport, or with `--verbose` one that prints a line for each request as it ends.
    func observing(_ transport: any HTTPTransport) -> any HTTPTransport {
        guard isVerbose else { return transport }
        return ObservedTransport(transport, clock: environment.monotonicSeconds) { [self] in
            trace("\($0)")
        }
    }
}
