import { el, fill, find, whenNear } from "./modules/dom";
import { header } from "./modules/header";

header();

const spot = find("[data-map]");
whenNear(spot, () => {
  import("./widgets/map")
    .then((widget) => widget.map(spot!))
    .catch(() => fill(spot, el("p", { class: "quiet" }, "The map could not be loaded.")));
});

const opens: Record<number, [number, number]> = { 3: [10, 16], 4: [10, 16], 5: [10, 18], 6: [9, 17] };
const now = new Date();
const today = opens[now.getDay()];
const line = !today
  ? "We are closed today."
  : now.getHours() < today[0]
    ? `We open at ${today[0]}:00 today.`
    : now.getHours() < today[1]
      ? `Open now, until ${today[1]}:00.`
      : "We have closed for today.";
fill(find("[data-open]"), line);
