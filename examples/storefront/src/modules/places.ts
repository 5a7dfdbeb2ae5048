// Every address is worked out from where this very script lies (assets/, one level below the
// pages). Nothing here says https or a host, so the same bytes run on any scheme.
const root = new URL("../", import.meta.url);

export const page = (path: string): string => new URL(path, root).href;
export const asset = (path: string): string => new URL(path, import.meta.url).href;
