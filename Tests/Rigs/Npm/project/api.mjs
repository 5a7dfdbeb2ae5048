// Calls the API as an ES module; run.py compares the output.
import { PacktoolError, check, init, publish, report, run, verify } from "packtool";

const result = {};
const thrown = (promise) =>
  promise.then(
    () => "no error",
    (error) => ({
      isPacktoolError: error instanceof PacktoolError, name: error.name, code: error.code, exitCode: error.exitCode,
      message: error.message, help: error.help, unaffected: error.unaffected,
    }),
  );

result.good = await check({ build: "good", host: ["shop.example.com"], quiet: true });
result.bad = await check({ build: "bad", profile: ["capacitor", "capacitor-android"] });
result.init = await init({ directory: "good", app: "shop", baseUrl: "https://cdn.example.com/shop", force: true });
result.dryRun = await publish({ build: "good", to: "cdn", dryRun: true, host: "shop.example.com" });
result.publish = await publish({ build: "good", to: "cdn", label: "1.0.0", host: "shop.example.com", mandatory: true });
result.optional = await publish({ build: "good", to: "cdn", dryRun: true, mandatory: false });
result.verify = await verify({ target: "cdn" });
result.manifest = await run("manifest", ["good", "-o", "info.json", "--base-url", "https://cdn.example.com/shop"]);
result.verifyManifest = await verify({ target: "info.json", build: "bad" });
result.report = await report({ old: "cdn", new: "good", save: "html=report.html" });
result.status = await run("status", ["cdn"]);
result.pause = await run("pause", ["cdn", "--channel", "production"]);
result.refused = await thrown(publish({ build: "bad", to: "cdn" }));
result.missing = await thrown(check({ build: "nowhere" }));
result.usage = await thrown(run("check", ["--nonsense"]));
result.words = await thrown(run("--version"));
const controller = new AbortController();
setTimeout(() => controller.abort(), 300);
result.aborted = await thrown(run("serve", ["cdn", "--listen", "127.0.0.1:0"], { signal: controller.signal }));
process.env.PACKTOOL_BINARY = "/nowhere/packtool";
result.start = await thrown(check({ build: "good" }));
console.log(JSON.stringify(result));
