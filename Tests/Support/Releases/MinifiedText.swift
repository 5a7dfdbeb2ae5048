/// Text like that of minifiers, created by a seeded generator.
package enum MinifiedText {
    /// A bundle with names shifted by `shift`, which refers to these file names.
    package static func bundle(_ random: inout Noise, functions: Int, shift: Int, names: [String])
        -> String
    {
        let letters = Array("etnriaoscludfpmhgvybxwkqjzETNRIAOSCLUDFPMHGVYBXWKQJZ")
        let name = { (index: Int) -> String in
            let value = index + shift
            return
                "\(letters[value % letters.count])\(letters[(value / letters.count) % letters.count])"
        }
        var text = ""
        for index in 0..<functions {
            let other = Int.random(in: 0..<functions, using: &random)
            let number = Int.random(in: 0..<10_000, using: &random)
            text +=
                "function \(name(index))(e,t){return e.value\(number)?\(name(other))(t,\(number)):t+e}"
        }
        for file in names { text += "import(\"./\(file)\");" }
        return text
    }
}
