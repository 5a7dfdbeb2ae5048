import { count, onChange } from "./basket";
import { find } from "./dom";

export function header(): void {
  const badge = find("[data-basket-count]");
  const show = () => {
    if (!badge) return;
    badge.textContent = String(count());
    badge.hidden = count() === 0;
  };
  show();
  onChange(show);
  // Another page of the shop may have changed the basket while this one lay in the back-forward cache.
  window.addEventListener("pageshow", show);
  window.addEventListener("storage", show);

  const menu = find("[data-menu]");
  menu?.addEventListener("click", () => {
    const open = document.body.classList.toggle("menu-open");
    menu.setAttribute("aria-expanded", String(open));
  });
}
