import { post } from "./http";
import { Refusal } from "./refusal";

let held: string | null = null;

/** Removes a key from the address bar and the history, and exchanges it for a cookie. */
export async function enter(): Promise<void> {
  const parts = new URLSearchParams(location.hash.slice(1));
  const key = parts.get("k");
  if (key === null) return;
  parts.delete("k");
  const rest = parts.toString();
  history.replaceState(history.state, "", location.pathname + location.search + (rest ? `#${rest}` : ""));
  held = key;
  await present();
}

/** Shows a key that has not been shown yet. If the server does not answer, the key is kept for later. */
export async function present(): Promise<void> {
  if (held === null) return;
  const key = held;
  try {
    await post("/v1/session", { key });
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.status === 0) return;
    if (held === key) held = null;
    throw thrown;
  }
  if (held === key) held = null;
}

/** A new link was opened in a window that already shows the page: the page starts again with that key. */
export function heed(): void {
  addEventListener("hashchange", () => {
    if (new URLSearchParams(location.hash.slice(1)).has("k")) location.reload();
  });
}
