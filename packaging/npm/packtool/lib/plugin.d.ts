import { CheckOptions, Level, ProfileName, PublishOptions } from "./index.js";

/** The options of the plugins: those of `check`, and a publish on demand. */
export interface PluginOptions extends Omit<CheckOptions, "cwd"> {
  /** The build with the pages, if it is not the bundler's output directory. */
  build?: string;
  /** Profiles to check the build for, all at once. */
  profiles?: ProfileName[];
  /** How hard to compress the published package. */
  level?: Level;
  /** Publishes the build if it has no errors: with the settings of `packtool.yaml`, or with these options. */
  publish?: boolean | Omit<PublishOptions, "build" | "cwd">;
}
