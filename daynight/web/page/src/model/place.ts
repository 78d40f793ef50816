/** Where a page stands: a moment, null for the end of the game, and a kept branch, null for the game itself. */
export interface Place {
  event: number | null;
  branch: string | null;
  /** What of the address is no place at all. */
  strange?: string;
}

const KNOWN = ["e", "branch"];

/** Reads the fragment of an address: `#e=18&branch=b2`. What it does not know is handed on. */
export function read(hash: string): Place {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const event = /^e?([1-9][0-9]{0,15})$/.exec(parts.get("e") ?? "");
  const strange = [...parts].filter(([name]) => !KNOWN.includes(name) || (name === "e" && !event)).map(([name, value]) => (value ? `${name}=${value}` : name));
  const place = { event: event ? Number(event[1]) : null, branch: parts.get("branch") || null };
  return strange.length > 0 ? { ...place, strange: strange.join("&") } : place;
}

/** The fragment of a place; empty for the end of the game. */
export function spelled(place: Place): string {
  const parts: string[] = [];
  if (place.event !== null) parts.push(`e=${place.event}`);
  if (place.branch !== null) parts.push(`branch=${encodeURIComponent(place.branch)}`);
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}
