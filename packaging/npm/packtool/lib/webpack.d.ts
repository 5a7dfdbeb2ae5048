import { PluginOptions } from "./plugin.js";

declare function packtool(options?: packtool.PluginOptions): packtool.Plugin;

declare namespace packtool {
  export { PluginOptions };
  /** A plugin for webpack 5. */
  export interface Plugin {
    apply(compiler: any): void;
  }
}

export = packtool;
