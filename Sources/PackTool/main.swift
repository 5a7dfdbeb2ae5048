import ArgumentParser
import PackCore
struct P: ParsableCommand { static let configuration = CommandConfiguration(commandName: "packtool", version: "0"); func run() { print(probe()) } }
P.main()
