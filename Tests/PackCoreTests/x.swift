import Testing
@testable import PackCore
@Test func x() { #expect(!probe().isEmpty) }
