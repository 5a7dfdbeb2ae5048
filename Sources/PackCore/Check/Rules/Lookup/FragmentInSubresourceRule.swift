import PackProfile

extension Rule {
    /// A fragment that becomes part of the file name.
    static let fragmentInSubresource = Rule(
        "fragment-in-subresource", group: .lookup,
        level: .init("error if the handler keeps fragments (basename-cache)") {
            $0.client.fragment == .keep ? .error : nil
        },
        document: misses { cause, reference, _ in
            guard cause == .fragment else { return nil }
            return FaultReport(
                message:
                    """
                    the handler treats the fragment of '\(reference.text)' as part of the file \
                    name
                    """)
        })
}
