import { add } from "./modules/basket";
import { card } from "./modules/card";
import { item, items, kinds } from "./modules/catalogue";
import { el, fill, find, whenNear } from "./modules/dom";
import { header } from "./modules/header";
import { money } from "./modules/money";
import { asset, page } from "./modules/places";

header();

const entry = item(new URLSearchParams(location.search).get("item")) ?? items[0];
document.title = `${entry.name} · Brackenfold Pottery`;

const amount = el("input", { type: "number", min: 1, max: 12, value: 1, id: "amount", inputmode: "numeric" }) as HTMLInputElement;
const said = el("p", { class: "said", role: "status" });

fill(find("[data-product]"),
  el("div", { class: "product-picture" },
    el("img", { src: asset(entry.image), alt: `${entry.name}, glazed in ${entry.glaze.toLowerCase()}`, width: 300, height: 300 })),
  el("div", { class: "product-text" },
    el("p", { class: "crumbs" }, el("a", { href: page("index.html") }, "Shop"), ` / ${kinds[entry.kind]}`),
    el("h1", {}, entry.name),
    el("p", { class: "lead" }, entry.blurb),
    el("p", { class: "price big" }, money(entry.price)),
    el("form", {
      class: "buy",
      // The form never leaves the page: a custom scheme has no server that could take it.
      submit: (event) => {
        event.preventDefault();
        const wanted = Math.max(1, Math.min(12, Math.round(Number(amount.value) || 1)));
        add(entry.id, wanted);
        said.textContent = `${wanted} × ${entry.name} is in your basket.`;
      },
    },
      el("label", { for: "amount" }, "How many"), amount,
      el("button", { class: "button", type: "submit" }, "Put in basket")),
    said,
    el("dl", { class: "facts" },
      el("dt", {}, "Size"), el("dd", {}, entry.size),
      el("dt", {}, "Glaze"), el("dd", {}, entry.glaze),
      el("dt", {}, "In stock"), el("dd", {}, entry.left < 5 ? `Only ${entry.left} left` : `${entry.left} on the shelf`)),
    ...entry.story.map((text) => el("p", {}, text))));

fill(find("[data-more]"), ...items.filter((other) => other !== entry).slice(0, 4).map(card));

const spot = find("[data-reviews]");
whenNear(spot, () => {
  import("./widgets/reviews")
    .then((widget) => widget.reviews(spot!, entry.id))
    .catch(() => fill(spot, el("p", { class: "quiet" }, "The reviews could not be loaded.")));
});
