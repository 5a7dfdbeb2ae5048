import PackCore
@main struct Main { static func main() {} }
