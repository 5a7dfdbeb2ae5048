const fs = require("node:fs");
const packtool = require("packtool/webpack");

const { options, sourcemap, moveMaps } = JSON.parse(process.env.RIG);

const page = {
  apply: (compiler) =>
    compiler.hooks.afterEmit.tap("page", () => fs.copyFileSync("index.html", "dist/index.html")),
};

module.exports = {
  mode: "production",
  entry: "./src/main.js",
  devtool: sourcemap,
  output: {
    publicPath: "auto",
    filename: "main.js",
    sourceMapFilename: moveMaps ? "../maps/[file].map" : "[file].map",
  },
  plugins: [packtool(options), page],
};
