import PackGround
import PackOrigin

/// Rejects a label that does not fit in a pointer, before anything is written to the origin.
func checkLabel(_ label: String?) throws(Failure) {
    guard let label else { return }
    let fail = { (problem: String) in
        Failure.invalidArgument(
            kind: "label", word: label.count > 40 ? label.prefix(40) + "…" : label,
            problem: problem, example: "2.4.1")
    }
    if label.isEmpty { throw fail("is empty") }
    if label.utf8.count > Pointer.labelLimit {
        throw fail("is longer than \(Pointer.labelLimit) bytes")
    }
    if printable(label.utf8) != label { throw fail("contains a control character") }
}
