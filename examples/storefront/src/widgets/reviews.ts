import data from "../data/reviews.data.json";
import { el, fill } from "../modules/dom";
import { asset } from "../modules/places";

type Review = { by: string; town: string; when: string; stars: number; text: string };

const stars = (n: number): HTMLElement =>
  el("span", { class: "stars", role: "img", "aria-label": `${n} of 5 stars` }, "★".repeat(n) + "☆".repeat(5 - n));

// Reviews are a file of their own: they change more often than the code that shows them.
export async function reviews(spot: Element, id: string): Promise<void> {
  const answer = await fetch(asset(data));
  const all: Record<string, Review[]> = await answer.json();
  const own = all[id] ?? [];
  if (own.length === 0) {
    fill(spot, el("p", { class: "quiet" }, "Nobody has written about this one yet."));
    return;
  }
  const mean = own.reduce((sum, review) => sum + review.stars, 0) / own.length;
  fill(spot,
    el("p", { class: "mean" }, stars(Math.round(mean)), ` ${mean.toFixed(1)} from ${own.length} ${own.length === 1 ? "person" : "people"}`),
    el("ul", { class: "reviews" }, ...own.map((review) =>
      el("li", {}, stars(review.stars),
        el("blockquote", {}, review.text),
        el("p", { class: "by" }, `${review.by}, ${review.town} · `, el("time", { datetime: review.when }, month(review.when)))))));
}

function month(day: string): string {
  return new Date(`${day}T12:00:00`).toLocaleDateString("en-GB", { month: "long", year: "numeric" });
}
