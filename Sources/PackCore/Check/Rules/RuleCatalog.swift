/// All rules, in the order in which people read them.
///
/// Each chapter has a file of its own.
package enum RuleCatalog {
    /// Every rule that is built.
    package static let all: [Rule] =
        scheme + lookup + markup + styles + data + script + origin + security + media + names
        + switching + check

    /// The rules of the catalogue that are not built, each with the reason.
    package static let unbuilt: [UnbuiltRule] =
        unbuiltScheme + unbuiltLookup + unbuiltMarkup + unbuiltStyles + unbuiltData + unbuiltScript
        + unbuiltOrigin + unbuiltSecurity + unbuiltMedia + unbuiltNames + unbuiltSwitching
        + unbuiltCheck

    /// The rule of an id.
    package static func rule(_ id: String) -> Rule? { all.first { $0.id == id } }
}
