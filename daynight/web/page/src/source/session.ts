import { post } from "./http";

/** Trades a key that stands in the address for a cookie, and takes it out of the address bar and the history. */
export async function enter(): Promise<void> {
  const parts = new URLSearchParams(location.hash.slice(1));
  const key = parts.get("k");
  if (key === null) return;
  parts.delete("k");
  const rest = parts.toString();
  history.replaceState(history.state, "", location.pathname + location.search + (rest ? `#${rest}` : ""));
  await post("/v1/session", { key });
}
