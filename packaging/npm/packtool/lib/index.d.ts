/** Settings of the process; every function takes them beside the command's options. */
export interface RunOptions {
  /** The working directory; `packtool.yaml` is read there. */
  cwd?: string;
  /** Variables to add to the environment. */
  env?: Record<string, string>;
  /** Ends the command when it is aborted; the call then rejects with an `AbortError`. */
  signal?: AbortSignal;
}

/** The result of a command that ended with exit code 0 or 1. */
export interface Result<Document> {
  /** 1 if the command has findings that count, or a verification failed. */
  exitCode: 0 | 1;
  /** The document that the command prints with `--json`. */
  document: Document;
  /** Notes and warnings that the command printed. */
  messages: string;
}

/** A command that failed. */
export class PacktoolError extends Error {
  name: "PacktoolError";
  /** The stable name of the error; those of this package begin with `npm.`. */
  code: string;
  /** 1 if a check refused the build, 2 operational error, 3 another publisher was running, 64 wrong usage. */
  exitCode: number;
  /** The next step. */
  help?: string;
  /** Unchanged files or releases. */
  unaffected?: string;
  /** The live release, if the command failed after the release became current. */
  live?: { version: string; channel: string; sequence: number; outdated: string[] };
}

/** A built-in profile. */
export type ProfileName =
  | "asset-loader"
  | "basename-cache"
  | "capacitor"
  | "capacitor-android"
  | "cordova"
  | "cordova-android"
  | "intercept"
  | "path-strict";

/** The options of every command. */
export interface CommonOptions extends RunOptions {
  config?: string;
  exclude?: string | string[];
  quiet?: boolean;
  verbose?: boolean;
}

/** The description of the app's handler. */
export interface ProfileOptions {
  host?: string | string[];
  launch?: string;
  pageOrigin?: "custom" | "dual" | "https";
  profile?: ProfileName | ProfileName[];
  scheme?: string;
}

/** The address and the certificates of a store. */
export interface StoreOptions {
  caFile?: string;
  endpoint?: string;
  region?: string;
}

/** Settings of pages opened in WebKitGTK. */
export interface EngineOptions {
  engine?: boolean;
  engineTime?: number;
  network?: boolean;
  pages?: number;
}

/** The options of `packtool check`. */
export interface CheckOptions extends CommonOptions, ProfileOptions, StoreOptions, EngineOptions {
  /** The build output, or a package. */
  build?: string;
  against?: string;
  allowMissing?: boolean;
  baseline?: string;
  fix?: boolean;
  hints?: boolean;
  ignore?: string | string[];
  limit?: number;
  maxWarnings?: number;
  pathPrefix?: string;
  save?: string | string[];
  select?: string | string[];
  strictCoverage?: boolean;
  updateBaseline?: boolean;
}

/** The options of `packtool publish`. */
export interface PublishOptions extends CommonOptions, ProfileOptions {
  /** The build output, or a package. */
  build?: string;
  actor?: string;
  allowIdentityChange?: boolean;
  app?: string;
  baseUrl?: string;
  baseline?: string;
  cache?: string;
  cdnWait?: number;
  channel?: string;
  commit?: string;
  deltaFrom?: string | string[];
  deltas?: number;
  dryRun?: boolean;
  endpoint?: string;
  expiresInDays?: number;
  feed?: FeedName | FeedName[];
  ignore?: string | string[];
  label?: string;
  level?: Level;
  mandatory?: boolean;
  maxNative?: string;
  maxWarnings?: number;
  minNative?: string;
  noCache?: boolean;
  noCheck?: boolean;
  noConditionalWrites?: boolean;
  passphraseFile?: string;
  pointer?: string;
  propose?: string;
  region?: string;
  renew?: boolean;
  reopen?: boolean;
  repair?: boolean;
  requireOrigin?: boolean;
  resume?: boolean;
  reuse?: string;
  rollout?: number;
  rolloutSalt?: string;
  signKey?: string | string[];
  signWith?: string | string[];
  stayPaused?: boolean;
  to?: string;
  trust?: string;
  trustSizes?: boolean;
  verifyAll?: boolean;
  verifyCdn?: boolean;
}

/** The options of `packtool report`. */
export interface ReportOptions extends CommonOptions, ProfileOptions, StoreOptions, EngineOptions {
  /** The old release, if the new one is compared. */
  old?: string;
  /** The new release. */
  new: string;
  allowMissing?: boolean;
  channel?: string;
  findings?: string | string[];
  level?: Level;
  limit?: number;
  pathPrefix?: string;
  /** `html=FILE` writes the page, `markdown=FILE` the comment. */
  save?: string | string[];
}

/** The options of `packtool verify`. */
export interface VerifyOptions extends CommonOptions, StoreOptions {
  /** An origin or a manifest. */
  target?: string;
  against?: string;
  all?: boolean;
  build?: string;
  channel?: string;
  conditionalWrites?: boolean;
  depth?: number;
  limit?: number;
  trust?: string;
}

/** The options of `packtool init`. */
export interface InitOptions extends CommonOptions, ProfileOptions {
  /** The project's directory, or its build output. */
  directory?: string;
  app?: string;
  baseUrl?: string;
  channel?: string;
  force?: boolean;
  yes?: boolean;
}

/** How hard to compress packages. */
export type Level = "default" | "fast" | "max";
/** A live-update client of another project. */
export type FeedName = "capawesome" | "capgo" | "cordova-hcp";
/** The severity of a finding. */
export type Severity = "error" | "hint" | "warning";

/** A number of files and their size in bytes. */
export interface Amount {
  count: number;
  bytes: number;
}

/** A finding of the check. */
export interface Finding {
  rule: string;
  severity: Severity;
  /** The path in the build. */
  file?: string | null;
  /** From 1. */
  line?: number | null;
  /** In bytes, from 1. */
  column?: number | null;
  excerpt?: string | null;
  offset?: number | null;
  length?: number | null;
  message: string;
  notes: string[];
  profiles?: string[];
  count?: number;
  engine?: "confirmed" | "contradicted" | "found";
  setting?: { key: string; value: unknown };
  fix?: {
    safety: "safe" | "unsafe";
    summary: string;
    edits: { offset: number; length: number; text: string }[];
  };
}

/** The document of `check`. */
export interface CheckDocument {
  schema: 1;
  profiles: string[];
  files: number;
  size: number;
  errors: number;
  warnings: number;
  hints: number;
  ignored: number;
  unread: number;
  findings: Finding[];
  opened?: {
    engine: string;
    milliseconds: number;
    left: number;
    pages: {
      url: string;
      file?: string | null;
      milliseconds: number;
      firstPaint?: number | null;
      stopped: boolean;
    }[];
  };
}

/** Files left out of a build. */
export interface Excluded {
  junk: string[];
  files: number;
  directories: number;
  bytes: number;
}

/** An entry of a pointer. */
export interface Offer {
  version: string;
  packageHash: string;
  label?: string | null;
  rollout: number;
  rolloutSalt?: string | null;
  minNativeVersion?: string | null;
  maxNativeVersion?: string | null;
  platforms?: Partial<
    Record<"android" | "ios", { minNativeVersion?: string | null; maxNativeVersion?: string | null }>
  > | null;
  package: number;
  deltas: { from: string; size: number }[];
}

/** The document of `publish`. */
export interface PublishDocument {
  outcome: "completed" | "proposed" | "published" | "renewed" | "repaired" | "unchanged";
  dryRun: boolean;
  version: string;
  packageHash: string;
  channel: string;
  sequence: number;
  label: string | null;
  expires: string | null;
  enabled: boolean;
  rollout: number;
  rolloutSalt: string | null;
  mandatory: boolean;
  minNativeVersion: string | null;
  maxNativeVersion: string | null;
  platforms?: Offer["platforms"];
  fallbacks: Offer[];
  previous?: string | null;
  files: number;
  bytes: number;
  excluded: Excluded;
  package: { size: number; existed: boolean; reused: Amount };
  deltas: { from: string; size: number; memory: number; coded: number; copied: number }[];
  fetches: { pointer: number; package: number };
  objects: { new: Amount; reused: Amount };
  site: { new: Amount; replaced: Amount; unchanged: Amount; replacedPaths: string[] };
  feeds: { replaced: string[]; removed: string[] };
  repairs: { path: string; what: "content" | "headers" }[];
  origin: string;
  newOrigin: boolean;
  baseURL: string;
  cdn?: VerifyAddressDocument | null;
  notes: string[];
  seconds: number;
}

/** A release in a report. */
export interface ReportedRelease {
  version: string;
  source: string;
  files: number;
  bytes: number;
}

/** The document of `report`. */
export interface ReportDocument {
  schema: 1;
  app?: string | null;
  new: ReportedRelease;
  old?: ReportedRelease | null;
  package: number;
  profile: string;
  files: { path: string; kind: string; size: number; packed: number }[];
  routes?: { name: string; bytes: number; parts: { what: string; bytes: number }[] }[] | null;
  costs?: { path: string; size: number; bytes: number; reason: string }[] | null;
  otherCost?: number | null;
  changes?:
    | {
        kind: "added" | "changed" | "moved" | "removed" | "renamed";
        path: string;
        from?: string | null;
        oldSize?: number | null;
        newSize?: number | null;
      }[]
    | null;
  unchanged?: number | null;
  findings: { severity: Severity; rule: string; title: string; count: number; new?: number | null }[];
  pages?: { name: string; note: string }[] | null;
  budgets?: { name: string; value: string; limit: string; kept: boolean }[] | null;
  channel?: string | null;
  history?:
    | {
        sequence: number;
        date: string;
        version: string;
        label?: string | null;
        package: number;
        delta?: number | null;
      }[]
    | null;
}

/** The state of a channel in an origin. */
export interface VerifiedChannel {
  channel: string;
  version: string | null;
  sequence: number;
  label: string | null;
  expires: string | null;
  recorded: number;
}

/** A finding of `verify`. */
export interface VerifyFinding {
  code: string;
  severity: "error" | "warning";
  problem: string;
  paths: string[];
  answer?: unknown;
  help?: string | null;
}

/** The document of `verify` for a directory or a bucket. */
export interface VerifyOriginDocument {
  ok: boolean;
  channels: VerifiedChannel[];
  releases: number;
  packages: Amount;
  deltas: Amount;
  objects: Amount;
  site: Amount;
  orphans: string[];
  orphanBytes: number;
  failures: { path: string; problem: string }[];
  findings: VerifyFinding[];
  notes: string[];
  seconds: number;
}

/** The document of `verify` for an https address. */
export interface VerifyAddressDocument {
  ok: boolean;
  address: string;
  channel: VerifiedChannel;
  releases: number;
  packages: Amount;
  deltas: Amount;
  objects: Amount;
  skipped: number;
  site: Amount;
  findings: VerifyFinding[];
  notes: string[];
  seconds: number;
}

/** The document of `verify` for a manifest. */
export interface VerifyManifestDocument {
  ok: boolean;
  version: string;
  buildVersion: string;
  missing: string[];
  extra: string[];
  changed: string[];
  renamed: { from: string; to: string }[];
}

/** The document of `verify` with `conditionalWrites`. */
export interface VerifyStoreDocument {
  origin: string;
  create: boolean;
  replace: "quoted" | "unquoted" | null;
  seconds: number;
}

/** The document of `verify`; the target determines its kind. */
export type VerifyDocument =
  | VerifyAddressDocument
  | VerifyManifestDocument
  | VerifyOriginDocument
  | VerifyStoreDocument;

/** A finding that a setting of `init` ends. */
export interface SettingReason {
  key: string;
  rule: string;
  severity: Severity;
  file: string;
  line?: number;
  message: string;
  count: number;
}

/** The document of `init`. */
export interface InitDocument {
  file: string;
  app: string | null;
  build: string | null;
  launch: string | null;
  profiles: string[];
  bundler: string | null;
  set: Record<string, string[]>;
  proposed: Record<string, string[]>;
  reasons: SettingReason[];
  errors: number;
  warnings: number;
}

/** Finds what will not work offline. */
export function check(options?: CheckOptions): Promise<Result<CheckDocument>>;
/** Checks a build and publishes it. */
export function publish(options?: PublishOptions): Promise<Result<PublishDocument>>;
/** Reports sizes, the cost of an update, changes and findings. */
export function report(options: ReportOptions): Promise<Result<ReportDocument>>;
/** Re-reads and re-hashes everything that a client can reach, or compares a manifest with a build. */
export function verify<Document = VerifyDocument>(options?: VerifyOptions): Promise<Result<Document>>;
/** Writes `packtool.yaml` for the build output it finds. */
export function init(options?: InitOptions): Promise<Result<InitDocument>>;
/** Runs any command, such as `run("channel close", ["../cdn"])`, with `--json`. */
export function run<Document = unknown>(
  command: string,
  args?: string[],
  options?: RunOptions,
): Promise<Result<Document>>;
