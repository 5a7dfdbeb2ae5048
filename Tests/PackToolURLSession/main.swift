import Dispatch
import Glibc
import PackClientURLSession
import PackCommands
import PackGround
import PackOrigin

ThisProcess.prepare()
var environment = ThisProcess.environment
environment.makeTransport = { settings in
    guard settings.authorityFile == nil else {
        throw Failure.httpFailed(
            path: "URLSession", .impossible, reason: "it trusts the system's certificates alone")
    }
    return URLSessionTransport(userAgent: settings.agent, patience: settings.patience)
}
let run = CommandRun(Array(CommandLine.arguments.dropFirst()), in: environment)
if let status = run.status { exit(status) }
let work = Task.detached { exit(await run.finish(prepare: ThisProcess.watch)) }
run.interruption.cancels { work.cancel() }
dispatchMain()
