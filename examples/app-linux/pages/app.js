// Loads everything that the page needs, tells the app whether it works, and reports what it saw.
import { release } from "./release.js";

const handlers = window.webkit && window.webkit.messageHandlers;
const report = (value) => handlers && handlers.packtool && handlers.packtool.postMessage(JSON.stringify(value));

async function loaded() {
  const data = await (await fetch("data.json")).json();
  const part = await fetch("data.json", { headers: { Range: "bytes=0-9" } });
  const picture = document.querySelector("img");
  await picture.decode();
  const missing = await fetch("missing.json").then((answer) => answer.status, () => 0);
  return {
    release, data: data.release, title: document.title, range: part.status, rangeBytes: (await part.text()).length,
    picture: picture.naturalWidth, color: getComputedStyle(document.querySelector("h1")).color, missing,
    url: location.href,
  };
}

loaded().then((state) => {
  document.querySelector("#state").textContent = `works: ${state.data} of ${state.release}`;
  report(state);
  packtool.ready();
}, (error) => report({ error: String(error) }));
