import { item } from "./catalogue";

export type Line = { id: string; count: number };
const KEY = "brackenfold.basket.v1";
const MOST = 12;

// Storage is refused in some WebViews (and in private windows); the basket then lives in memory.
let memory = "[]";
function read(): string {
  try {
    return localStorage.getItem(KEY) ?? memory;
  } catch {
    return memory;
  }
}
function write(text: string): void {
  memory = text;
  try {
    localStorage.setItem(KEY, text);
  } catch {
    /* memory has it */
  }
}

export function lines(): Line[] {
  try {
    const stored: unknown = JSON.parse(read());
    if (!Array.isArray(stored)) return [];
    // An older release may have stored a pot that is no longer made.
    return stored.filter((l): l is Line => item(l?.id) !== undefined && Number.isInteger(l.count) && l.count > 0);
  } catch {
    return [];
  }
}

export function set(id: string, count: number): void {
  const others = lines().filter((l) => l.id !== id);
  const kept = count > 0 ? [...others, { id, count: Math.min(count, MOST) }] : others;
  write(JSON.stringify(kept));
  window.dispatchEvent(new CustomEvent("basket"));
}

export const add = (id: string, count = 1): void =>
  set(id, (lines().find((l) => l.id === id)?.count ?? 0) + count);

export const count = (): number => lines().reduce((sum, l) => sum + l.count, 0);
export const total = (): number => lines().reduce((sum, l) => sum + l.count * (item(l.id)?.price ?? 0), 0);
export const onChange = (listener: () => void): void => window.addEventListener("basket", listener);
