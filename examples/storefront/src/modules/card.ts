import { add } from "./basket";
import type { Item } from "./catalogue";
import { el } from "./dom";
import { money } from "./money";
import { asset, page } from "./places";

export const link = (entry: Item): string => page(`pages/product.html?item=${entry.id}`);

export function card(entry: Item): HTMLElement {
  return el("article", { class: "card" },
    el("a", { class: "card-picture", href: link(entry), tabindex: -1, "aria-hidden": "true" },
      el("img", { src: asset(entry.image), alt: "", width: 300, height: 300, loading: "lazy" })),
    el("div", { class: "card-text" },
      el("h3", {}, el("a", { href: link(entry) }, entry.name)),
      el("p", { class: "card-blurb" }, entry.blurb),
      el("div", { class: "card-foot" },
        el("span", { class: "price" }, money(entry.price)),
        el("button", { class: "button small", type: "button", click: () => add(entry.id) }, "Add"))));
}
