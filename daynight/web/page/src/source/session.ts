import { post } from "./http";
import { Refusal } from "./refusal";

let held: string | null = null;

/** Takes a key that stands in the address out of the address bar and the history, and trades it for a cookie. */
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

/** Shows the key that nobody has been shown yet. Where nobody answers it is held, to be shown later. */
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

/** Another link that is opened in a window which shows the page already: it begins anew, with that key. */
export function heed(): void {
  addEventListener("hashchange", () => {
    if (new URLSearchParams(location.hash.slice(1)).has("k")) location.reload();
  });
}
