import { copyFileSync, mkdirSync } from "node:fs";
import esbuild from "esbuild";
import packtool from "packtool/esbuild";

const { options, sourcemap } = JSON.parse(process.env.RIG);

mkdirSync("dist", { recursive: true });
copyFileSync("index.html", "dist/index.html");
await esbuild
  .build({
    entryPoints: ["src/main.js"], outdir: "dist", bundle: true, minify: true, sourcemap, plugins: [packtool(options)],
  })
  .catch(() => process.exit(1));
