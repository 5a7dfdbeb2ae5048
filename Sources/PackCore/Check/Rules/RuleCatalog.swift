/// All rules, in the order in which `docs/rules.md` lists them.
///
/// Each chapter has its own file.
package enum RuleCatalog {
    /// Every rule that is implemented.
    package static let all: [Rule] =
        scheme + lookup + markup + styles + data + script + origin + security + media + names
        + switching + check

    /// The planned rules that are not implemented, each with the reason.
    package static let unbuilt: [UnbuiltRule] =
        unbuiltScheme + unbuiltLookup + unbuiltMarkup + unbuiltStyles + unbuiltData + unbuiltScript
        + unbuiltOrigin + unbuiltSecurity + unbuiltMedia + unbuiltNames + unbuiltSwitching
        + unbuiltCheck

    /// The rule with an id.
    package static func rule(_ id: String) -> Rule? { all.first { $0.id == id } }
}
