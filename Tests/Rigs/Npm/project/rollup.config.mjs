import { copyFileSync, rmSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import packtool from "packtool/vite";

const { options, sourcemap, vite, moveMaps } = JSON.parse(process.env.RIG);
const plugin = packtool(options);
if (vite) plugin.configResolved({ root: process.cwd(), build: vite });

// It writes the page when the bundle is closed, as other plugins do, and can remove the map.
const page = {
  name: "page",
  async closeBundle() {
    await setTimeout(200);
    copyFileSync(vite ? "vite.html" : "index.html", "dist/index.html");
    if (moveMaps) rmSync("dist/main.js.map");
  },
};

export default {
  input: "src/main.js",
  output: { dir: vite ? "dist/assets" : "dist", format: "iife", sourcemap },
  plugins: [plugin, page],
};
