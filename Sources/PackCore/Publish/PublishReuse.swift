/// Chooses the earlier package that unchanged entries are copied from.
enum PublishReuse {
    /// The file that was asked for, else the package of the channel's current release, else that of
    /// production.
    ///
    /// One that cannot be used costs time, never correctness, so it is noted and left.
    ///
    /// - Parameter current: the channel's pointer.
    static func open(
        _ request: PublishRequest, _ reader: OriginReader, _ current: Pointer?,
        notes: inout [String]
    ) -> ReuseArchive? {
        let candidate: PublishRequest.ReuseFile
        var published: ContentReference?
        if let file = request.reuse {
            candidate = file
        } else {
            let pointer = current ?? (try? reader.pointer(.production)).flatMap { $0 }?.pointer
            guard let pointer,
                (try? reader.root.status(OriginLayout.package(pointer.version))) != nil
            else {
                return nil
            }
            published = pointer.package
            candidate = .init(directory: reader.root, name: OriginLayout.package(pointer.version))
        }
        do {
            let archive = try ReuseArchive.open(
                candidate.name, in: candidate.directory, level: request.level, published: published)
            if archive == nil {
                notes.append(
                    "'\(candidate.directory.display(candidate.name))' was packed at another level or "
                        + "by another compressor: every file is compressed anew")
            }
            return archive
        } catch {
            let advice = "; run 'packtool verify' on the origin, where more may be damaged"
            notes.append(
                "nothing is copied from the earlier package: \(error)"
                    + (published == nil ? "" : advice))
            return nil
        }
    }
}
