import type { Edit } from "../source/types";

/**
 * Where a page stands: a moment, null for the end of the game, and a kept branch, null for the game itself; and the
 * edits of what one tries, null where one looks at what was recorded.
 */
export interface Place {
  event: number | null;
  branch: string | null;
  tried: Edit[] | null;
  /** What of the address is no place at all. */
  strange?: string;
}

const KNOWN = ["e", "branch", "try"];

/** Edits as they stand in an address: JSON in the letters that an address may have. */
function packed(edits: Edit[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(edits));
  return btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function unpacked(text: string): Edit[] | null {
  try {
    const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (one) => one.charCodeAt(0));
    const found: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return Array.isArray(found) && found.length > 0 ? (found as Edit[]) : null;
  } catch {
    return null;
  }
}

/** Reads the fragment of an address: `#e=18&branch=b2`. What it does not know is handed on. */
export function read(hash: string): Place {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const event = /^e?([1-9][0-9]{0,15})$/.exec(parts.get("e") ?? "");
  const text = parts.get("try");
  const tried = text === null ? null : unpacked(text);
  const strange = [...parts]
    .filter(([name]) => !KNOWN.includes(name) || (name === "e" && !event) || (name === "try" && !tried))
    .map(([name, value]) => (value ? `${name}=${value}` : name));
  const place = { event: event ? Number(event[1]) : null, branch: parts.get("branch") || null, tried };
  return strange.length > 0 ? { ...place, strange: strange.join("&") } : place;
}

/** The fragment of a place; empty for the end of the game. */
export function spelled(place: Place): string {
  const parts: string[] = [];
  if (place.event !== null) parts.push(`e=${place.event}`);
  if (place.branch !== null) parts.push(`branch=${encodeURIComponent(place.branch)}`);
  if (place.tried !== null) parts.push(`try=${packed(place.tried)}`);
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}
