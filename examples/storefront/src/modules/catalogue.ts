import bowl from "../images/bowl.png";
import jar from "../images/jar.png";
import jug from "../images/jug.png";
import mug from "../images/mug.png";
import plate from "../images/plate.png";
import teapot from "../images/teapot.png";
import tumbler from "../images/tumbler.png";
import vase from "../images/vase.png";

export type Kind = "drink" | "table" | "home";
export type Item = {
  id: string;
  name: string;
  kind: Kind;
  price: number; // pence
  size: string;
  glaze: string;
  left: number;
  image: string;
  blurb: string;
  story: string[];
};

export const kinds: Record<Kind, string> = {
  drink: "For drinking",
  table: "For the table",
  home: "For the home",
};

export const items: Item[] = [
  {
    id: "mug",
    name: "Morning mug",
    kind: "drink",
    price: 2400,
    size: "9 cm tall, 350 ml",
    glaze: "Oat, dipped",
    left: 14,
    image: mug,
    blurb: "A straight-sided mug with a handle for three fingers.",
    story: [
      "We threw eleven shapes before this one. It is wide enough to cool quickly, heavy enough to stay put, and the handle clears a gloved knuckle.",
      "The foot is left bare, so every mug shows the brown clay it is made of. No two dip lines are the same height.",
    ],
  },
  {
    id: "tumbler",
    name: "Well tumbler",
    kind: "drink",
    price: 1900,
    size: "11 cm tall, 300 ml",
    glaze: "Tide",
    left: 22,
    image: tumbler,
    blurb: "Keeps water cold on the desk and stacks four high.",
    story: [
      "A tumbler should be a pleasure to hold when it is empty. This one narrows towards the foot, so your hand finds it without looking.",
      "Tide is our oldest glaze: two ashes, one feldspar and a spoon of copper. It breaks to a paler line at the rim.",
    ],
  },
  {
    id: "teapot",
    name: "Long afternoon teapot",
    kind: "drink",
    price: 8600,
    size: "15 cm tall, 900 ml",
    glaze: "Slate",
    left: 3,
    image: teapot,
    blurb: "Pours in one clean arc and stops when you do.",
    story: [
      "The spout is cut on a slant and thinned with a wet leather, which is the whole secret of a pot that does not drip.",
      "The lid sits deep in its gallery. Tilt the pot to the last cup and it stays where it belongs.",
    ],
  },
  {
    id: "jug",
    name: "Dairy jug",
    kind: "table",
    price: 5200,
    size: "21 cm tall, 1.1 litres",
    glaze: "Oat, dipped",
    left: 6,
    image: jug,
    blurb: "For milk, for cordial, for the first tulips of the year.",
    story: [
      "Shaped after the jugs that stood on the slate shelves of farm dairies: a full belly, a narrow waist and a generous lip.",
      "The handle is pulled from the wall of the jug itself and not stuck on afterwards, so it will outlast most kitchens.",
    ],
  },
  {
    id: "bowl",
    name: "Porridge bowl",
    kind: "table",
    price: 2800,
    size: "16 cm wide, 600 ml",
    glaze: "Ember",
    left: 18,
    image: bowl,
    blurb: "Deep, steady and warm in the hand.",
    story: [
      "A small foot and a wide mouth: the bowl stays cool enough to carry while the porridge stays hot enough to eat.",
      "Ember is an iron glaze. It comes from the kiln anywhere between rust and chestnut, and we send you whichever we think is the best of the batch.",
    ],
  },
  {
    id: "plate",
    name: "Supper plate",
    kind: "table",
    price: 3200,
    size: "26 cm wide",
    glaze: "Slate",
    left: 2,
    image: plate,
    blurb: "A quiet dark plate that makes a plain supper look planned.",
    story: [
      "The rim is just high enough to hold a sauce. Turned on the wheel, dried for nine days under boards, and fired twice.",
      "We are making the last of these: the slate we grind for the glaze came from one roof, and the roof is nearly used up.",
    ],
  },
  {
    id: "vase",
    name: "Hedgerow vase",
    kind: "home",
    price: 6400,
    size: "24 cm tall",
    glaze: "Tide over oat",
    left: 4,
    image: vase,
    blurb: "A narrow neck, so three stems look like enough.",
    story: [
      "Thrown in two halves and joined leather-hard. The seam lies under the dip line, where only your thumb can find it.",
      "Glazed on the inside as well: it holds water and not only dried grasses.",
    ],
  },
  {
    id: "jar",
    name: "Pantry jar",
    kind: "home",
    price: 4400,
    size: "17 cm tall, 1 litre",
    glaze: "Moss",
    left: 9,
    image: jar,
    blurb: "Salt, sugar, dog biscuits. It does not ask.",
    story: [
      "The lid drops into place with a sound that we are rather proud of. Not airtight, and better for it: salt stays loose, bread stays honest.",
      "Moss is fired slowly for its depth. Hold the jar to the window and you will see three greens.",
    ],
  },
];

const byId = new Map(items.map((entry) => [entry.id, entry]));
export const item = (id: unknown): Item | undefined => (typeof id === "string" ? byId.get(id) : undefined);
