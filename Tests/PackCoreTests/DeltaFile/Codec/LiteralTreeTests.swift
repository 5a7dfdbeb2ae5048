import Testing

@testable import PackDelta

// @testable: the tree is internal to the codec.

@Suite("LiteralTree")
struct LiteralTreeTests {
    @Test("the decisions of each byte lead to it, through every inner node")
    func ways() {
        let tree = LiteralTree()
        var nodes: Set<Int> = []
        for byte in UInt8.min...UInt8.max {
            var node = 0
            for step in 0..<tree.length(byte) {
                nodes.insert(node)
                node = tree.child(node, tree.path(byte) >> UInt32(15 - step) & 1)
            }
            #expect(node == 256 | Int(byte))
        }
        #expect(nodes == Set(0..<LiteralTree.nodes))
    }
}
