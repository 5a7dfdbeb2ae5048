// A drawn map in place of a map service: it works without a network, and it asks nobody where you are.
const NS = "http://www.w3.org/2000/svg";

type Place = { x: number; y: number; name: string; text: string; main?: boolean };

const places: Place[] = [
  { x: 395, y: 170, name: "The pottery", text: "Blue door, ring twice. Somebody has clay on their hands.", main: true },
  { x: 150, y: 92, name: "Station", text: "Trains every hour. Eighteen minutes on foot along the beck." },
  { x: 248, y: 262, name: "Car park", text: "Free after four. Please leave the farm gate clear." },
  { x: 560, y: 258, name: "Tea room", text: "Uses our cups. Closed on Mondays, like us." },
];

function shape(name: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

function trees(): SVGElement {
  const group = shape("g", { fill: "#9fb08c" });
  // A fixed little generator, so that the wood looks the same on every visit.
  let seed = 7;
  const next = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  for (let i = 0; i < 46; i++) {
    const x = 470 + next() * 210;
    const y = 24 + next() * 104;
    group.append(shape("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: (7 + next() * 6).toFixed(1), opacity: 0.85 }));
  }
  return group;
}

export function map(spot: Element): void {
  const note = document.createElement("p");
  note.className = "map-note";
  note.setAttribute("role", "status");
  note.textContent = "Choose a place on the map.";

  const svg = shape("svg", { viewBox: "0 0 700 340", role: "group", "aria-label": "Map of the village" },
    shape("rect", { width: 700, height: 340, fill: "#e4e6d6" }),
    shape("path", { d: "M-10 300C120 260 150 210 260 215S420 330 520 300 640 230 710 244V350H-10Z", fill: "#d6dcc4" }),
    trees(),
    shape("path", { d: "M-10 150C90 130 120 60 230 84S400 110 460 190 600 330 710 300", fill: "none", stroke: "#a9c4c8", "stroke-width": 14 }),
    shape("path", { d: "M-10 60 150 92 330 40 520 10", fill: "none", stroke: "#8b8377", "stroke-width": 4, "stroke-dasharray": "9 5" }),
    shape("path", { d: "M150 92C190 170 220 200 248 262S330 220 395 170 480 226 560 258 640 190 710 170", fill: "none", stroke: "#fff", "stroke-width": 11, "stroke-linejoin": "round" }));

  for (const place of places) {
    const choose = () => {
      note.textContent = `${place.name}: ${place.text}`;
      svg.querySelectorAll(".pin").forEach((pin) => pin.classList.toggle("chosen", pin === group));
    };
    const group = shape("g", { class: "pin", tabindex: 0, role: "button", "aria-label": place.name, transform: `translate(${place.x} ${place.y})` },
      shape("path", { d: "M0 0C-5-13-14-18-14-29A14 14 0 0 1 14-29C14-18 5-13 0 0Z", fill: place.main ? "#b2542f" : "#3e4e48" }),
      shape("circle", { cy: -29, r: 5, fill: "#fff" }),
      shape("text", { y: 18, "text-anchor": "middle" }, place.name));
    group.addEventListener("click", choose);
    group.addEventListener("keydown", (event) => {
      const key = (event as KeyboardEvent).key;
      if (key !== "Enter" && key !== " ") return;
      event.preventDefault();
      choose();
    });
    svg.append(group);
  }
  spot.replaceChildren(svg, note);
}
