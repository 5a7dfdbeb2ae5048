type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

// A page may not carry every spot that a script can fill, so a missing one is not an error.
export const find = <T extends Element = HTMLElement>(selector: string, from: ParentNode = document): T | null =>
  from.querySelector<T>(selector);

export function el(name: string, attributes: Attributes = {}, ...children: Child[]): HTMLElement {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false) node.setAttribute(key, String(value));
  }
  node.append(...children.filter((c): c is Node | string => Boolean(c)));
  return node;
}

export function fill(target: Element | null, ...children: Child[]): void {
  target?.replaceChildren(...children.filter((c): c is Node | string => Boolean(c)));
}

// Lazy parts load when their spot comes near the screen; old WebViews load them at once.
export function whenNear(target: Element | null, load: () => void): void {
  if (!target) return;
  if (!("IntersectionObserver" in window)) return load();
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    watcher.disconnect();
    load();
  }, { rootMargin: "200px" });
  watcher.observe(target);
}
