import PackCheck
import PackGround
import PackSettings

/// How `init` decides about settings of the app.
enum ProposalChoice {
    /// A question for each setting.
    case ask(any StandardStreams)
    /// The default answers: settings for errors are chosen.
    case accept
    /// No decision: the settings are written as comments.
    case leave

    /// Whether nothing is decided.
    var isOpen: Bool {
        if case .leave = self { return true }
        return false
    }

    /// The maximum number of findings shown with a question.
    private static let mostReasons = 3

    /// The chosen ones of proposed settings.
    func chosen(from proposed: ProposedSettings) throws -> ProposedSettings {
        switch self {
        case .leave: return ProposedSettings()
        case .accept: return proposed.ofErrors
        case .ask(let streams):
            var chosen = ProposedSettings()
            let ofErrors = proposed.ofErrors
            for settings in [ofErrors, proposed.subtracting(ofErrors)] {
                for key in settings.keys {
                    let answer = try Self.ask(key, settings.filtered { $0 == key }, streams)
                    guard let answer else { return chosen }
                    chosen.add(answer)
                }
            }
            return chosen
        }
    }

    /// Asks about one setting; returns `nil` at the end of the input.
    ///
    /// - Parameter proposed: The proposal for this setting alone.
    private static func ask(
        _ key: SettingKey, _ proposed: ProposedSettings, _ streams: any StandardStreams
    ) throws -> ProposedSettings? {
        let reasons = (proposed.reasons[key] ?? []).sorted { $0.placeCount > $1.placeCount }
        var lines = [""] + reasons.prefix(mostReasons).flatMap { RefusalText.block($0, []) }
        if reasons.count > mostReasons {
            lines.append("… and \(counted(reasons.count - mostReasons, "more finding"))")
        }
        streams.prompt(lines.map { $0 + "\n" }.joined())
        let elements = proposed.elements(key) ?? []
        let answers = elements.count > 1 ? "yes, no, or some of them" : "yes or no"
        return try Question(
            "\(proposed.question(on: key)) Sets \(proposed.line(key)) (\(answers))",
            default: proposed.endsErrors(key) ? "yes" : "no", atEnd: Question.endOfInput,
            on: streams
        ).ask { answer in
            switch answer.lowercased() {
            case Question.endOfInput: return nil
            case "yes", "y": return proposed
            case "no", "n": return ProposedSettings()
            default:
                let words = answer.split { " ,[]\"".contains($0) }.map(String.init)
                guard elements.count > 1, !words.isEmpty, words.allSatisfy(elements.contains)
                else {
                    throw Failure.invalidArgument(
                        kind: "answer", word: answer, problem: "is not one of: \(answers)",
                        example: elements.count > 1 ? elements[0] : "yes")
                }
                return proposed.limited(key, to: elements.filter(words.contains))
            }
        }
    }
}
