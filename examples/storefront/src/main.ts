import { card } from "./modules/card";
import { items, kinds, type Kind } from "./modules/catalogue";
import { el, fill, find } from "./modules/dom";
import { header } from "./modules/header";

header();

const grid = find("[data-grid]");
const filters = find("[data-filters]");
let chosen: Kind | "all" = "all";

function show(): void {
  fill(grid, ...items.filter((entry) => chosen === "all" || entry.kind === chosen).map(card));
  fill(filters, ...(["all", ...Object.keys(kinds)] as (Kind | "all")[]).map((kind) =>
    el("button", {
      type: "button",
      class: "chip",
      "aria-pressed": String(kind === chosen),
      click: () => {
        chosen = kind;
        show();
      },
    }, kind === "all" ? "Everything" : kinds[kind])));
}
show();
