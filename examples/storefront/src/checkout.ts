import { lines, onChange, set, total } from "./modules/basket";
import { item } from "./modules/catalogue";
import { el, fill, find } from "./modules/dom";
import { header } from "./modules/header";
import { money } from "./modules/money";
import { asset, page } from "./modules/places";

header();

const form = find<HTMLFormElement>("[data-order]");
const FREE_FROM = 7500;

function delivery(): number {
  const chosen = form && new FormData(form).get("delivery");
  if (chosen === "collect" || lines().length === 0) return 0;
  if (chosen === "next-day") return 995;
  return total() >= FREE_FROM ? 0 : 495;
}

function row(id: string, count: number): HTMLElement | null {
  const entry = item(id);
  if (!entry) return null;
  const change = (by: number, label: string, sign: string) =>
    el("button", { type: "button", class: "step", "aria-label": `${label} ${entry.name}`, click: () => set(id, count + by) }, sign);
  return el("li", { class: "line" },
    el("img", { src: asset(entry.image), alt: "", width: 64, height: 64 }),
    el("div", {}, el("a", { href: page(`pages/product.html?item=${id}`) }, entry.name),
      el("div", { class: "steps" }, change(-1, "One fewer", "−"), el("span", {}, String(count)), change(1, "One more", "+"))),
    el("span", { class: "price" }, money(entry.price * count)));
}

function show(): void {
  const all = lines();
  const empty = all.length === 0;
  fill(find("[data-lines]"), ...all
    .sort((a, b) => a.id.localeCompare(b.id))
    .map((line) => row(line.id, line.count)),
    empty && el("li", { class: "quiet" }, "Your basket is empty. ", el("a", { href: page("index.html") }, "Have a look round"), "."));
  fill(find("[data-sums]"),
    el("dt", {}, "Pots"), el("dd", {}, money(total())),
    el("dt", {}, "Delivery"), el("dd", {}, delivery() ? money(delivery()) : "free"),
    el("dt", { class: "sum" }, "Total"), el("dd", { class: "sum" }, money(total() + delivery())));
  const button = find<HTMLButtonElement>("[data-order] [type=submit]");
  if (button) button.disabled = empty;
}

show();
onChange(show);
form?.addEventListener("change", show);
form?.addEventListener("submit", (event) => {
  // This shop is an example: nothing is sent, the basket is emptied, the visitor is thanked.
  event.preventDefault();
  const name = String(new FormData(form).get("name") ?? "").trim().split(/\s+/)[0];
  lines().forEach((line) => set(line.id, 0));
  fill(find("[data-checkout]"), el("div", { class: "thanks" },
    el("h1", {}, name ? `Thank you, ${name}.` : "Thank you."),
    el("p", { class: "lead" }, "This shop is an example, so no order was sent and nothing will be charged."),
    el("a", { class: "button", href: page("index.html") }, "Back to the shop")));
  window.scrollTo(0, 0);
});
