import { PluginOptions } from "./plugin.js";

declare function packtool(options?: packtool.PluginOptions): packtool.Plugin;

declare namespace packtool {
  export { PluginOptions };
  /** A plugin for esbuild. */
  export interface Plugin {
    name: "packtool";
    setup(build: any): void;
  }
}

export = packtool;
