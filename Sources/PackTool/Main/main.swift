import PackCommands

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
    import Dispatch
#endif

ThisProcess.prepare()
EngineChild.runIfAsked(Array(CommandLine.arguments.dropFirst()))
let run = CommandRun(Array(CommandLine.arguments.dropFirst()), in: ThisProcess.environment)
// Help, version and usage errors are answered before any thread starts.
if let status = run.status { exit(status) }
let work = Task.detached { exit(await run.finish(prepare: ThisProcess.watch)) }
run.interruption.cancels { work.cancel() }
#if canImport(Glibc)
    // 'dispatchMain' ends this thread, for which a static program sorts its unwind tables: 14 ms.
    while true { pause() }
#else
    dispatchMain()
#endif
