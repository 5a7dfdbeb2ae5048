/// Why a publish stopped.
///
/// Whatever the case, the release that was live stays live and whole.
package enum PublishError: Remedied, Equatable {
    case busy(origin: String)
    case overtaken(origin: String, sequence: Int)
    case notEmpty(origin: String)
    case otherApp(origin: String, theirs: String, ours: String)
    case originInsideBuild(origin: String, build: String)
    case releaseDiffers(place: String, what: String)
    case labelTaken(label: String, version: String)
    case labelTooLong
    case damaged(place: String, problem: String)
    case noSpace(origin: String, needed: UInt64, free: UInt64)

    package var code: String {
        switch self {
        case .busy: "publish.busy"
        case .overtaken: "publish.overtaken"
        case .notEmpty: "publish.not-empty"
        case .otherApp: "publish.other-app"
        case .originInsideBuild: "publish.origin-inside-build"
        case .releaseDiffers: "publish.release-differs"
        case .labelTaken: "publish.label-taken"
        case .labelTooLong: "publish.label-too-long"
        case .damaged: "publish.damaged"
        case .noSpace: "publish.no-space"
        }
    }

    package var description: String {
        switch self {
        case .busy(let origin): "another publisher is at work on '\(origin)'"
        case .overtaken(let origin, let sequence):
            "another publisher took sequence \(sequence) at '\(origin)' in the meantime"
        case .notEmpty(let origin): "'\(origin)' is not empty and is not an origin"
        case .otherApp(let origin, let theirs, let ours):
            "'\(origin)' holds the app '\(theirs)', not '\(ours)'"
        case .originInsideBuild(let origin, let build):
            "the origin '\(origin)' and the build '\(build)' lie inside one another"
        case .releaseDiffers(let place, let what):
            "'\(place)' is published already, with another \(what); published names never change"
        case .labelTaken(let label, let version):
            "the label '\(label)' names the release \(version) already"
        case .labelTooLong:
            "the label is longer than \(Pointer.labelLimit) bytes or holds control characters"
        case .damaged(let place, let problem): "'\(place)' is published already, but \(problem)"
        case .noSpace(let origin, let needed, let free):
            "'\(origin)' has \(readableSize(free)) free; this publish needs about \(readableSize(needed))"
        }
    }

    package var stillValid: String? { "the release that was live stays live and whole" }

    package var failure: FailureKind {
        switch self {
        case .busy, .overtaken: .conflict
        case .labelTooLong: .usage
        case .damaged: .verification
        default: .couldNotDo
        }
    }

    package var remedy: String {
        switch self {
        case .busy: "wait until it has ended, then publish again"
        case .overtaken:
            "look at what it published (packtool verify), then publish again if you still want to"
        case .notEmpty: "name an empty directory, or one that 'packtool publish' wrote"
        case .otherApp: "check --to and --app; every app needs an origin of its own"
        case .originInsideBuild: "choose an origin outside the build output"
        case .releaseDiffers:
            "give the same --app, --base-url, --scheme and --launch as before, or publish to a new origin"
        case .labelTaken: "choose another --label"
        case .labelTooLong: "choose a shorter --label, such as 2.4.1"
        case .damaged:
            "run 'packtool verify' on the origin and restore the file from a mirror or backup; "
                + "if nothing refers to it, remove it and publish again"
        case .noSpace: "free some space there and publish again"
        }
    }
}
