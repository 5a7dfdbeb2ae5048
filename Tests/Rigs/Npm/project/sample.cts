// The same from CommonJS.
import packtool = require("packtool");
import vitePlugin = require("packtool/vite");
import { report } from "packtool";

const options: vitePlugin.PluginOptions = { profile: "path-strict", level: "fast" };
export const plugin: vitePlugin.Plugin = vitePlugin(options);
export const pages: Promise<packtool.Result<packtool.ReportDocument>> = report({ new: "dist" });
