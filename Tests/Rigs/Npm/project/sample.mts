// What TypeScript has to accept, and the errors that it has to find.
import esbuildPlugin from "packtool/esbuild";
import vitePlugin from "packtool/vite";
import webpackPlugin from "packtool/webpack";
import { check, PacktoolError, publish, run, verify } from "packtool";
import type { CheckDocument, VerifyOriginDocument } from "packtool";
import type { Plugin as EsbuildPlugin } from "esbuild";
import type { Plugin as RollupPlugin } from "rollup";

const rollup: RollupPlugin[] = [vitePlugin(), vitePlugin({ profiles: ["capacitor", "capacitor-android"] })];
const esbuild: EsbuildPlugin = esbuildPlugin({ publish: { to: "../cdn", label: "1.0.0" }, level: "max" });
const webpack: { apply(compiler: object): void } = webpackPlugin({ publish: true, ignore: ["js-cookie"] });

const { document, exitCode } = await check({ build: "dist", profile: "cordova", maxWarnings: 3 });
const errors: number = (document as CheckDocument).errors + exitCode;
const code: 0 | 1 = (await publish({ to: "s3://shop/cdn", feed: ["capgo"] })).exitCode;
const channels: string[] = (await verify<VerifyOriginDocument>({ target: "cdn" })).document.channels.map((c) => c.channel);
const status: unknown = (await run("status", ["cdn"])).document;

// @ts-expect-error: no such profile
await check({ profile: "capaciter" });
// @ts-expect-error: no such option
vitePlugin({ publsh: true });

export { rollup, esbuild, webpack, errors, code, channels, status, PacktoolError };
