import CArchive
import Crypto
import Yams
package func probe() -> String {
  let d = SHA256.hash(data: [UInt8]("a".utf8))
  let node = try? Yams.compose(yaml: "a: 1")
  return "\(d) \(String(describing: node)) \(unsafe String(cString: zlibVersion()))"
}
