import { PluginOptions } from "./plugin.js";

declare function packtool(options?: packtool.PluginOptions): packtool.Plugin;

declare namespace packtool {
  export { PluginOptions };
  /** A plugin for Vite and Rollup. */
  export interface Plugin {
    name: "packtool";
    apply: "build";
    enforce: "post";
    configResolved(config: any): void;
    writeBundle(this: any, output: any, bundle: any): void;
    closeBundle: { order: "post"; sequential: true; handler(this: any): Promise<void> };
  }
}

export = packtool;
