import type { Edit } from "../source/types";

/**
 * The place that a page shows: a moment (null for the end of the game), a kept branch (null for the game itself), and the
 * edits of a what-if (null for the record).
 */
export interface Place {
  event: number | null;
  branch: string | null;
  tried: Edit[] | null;
  /** The parts of the address that name no place. */
  strange?: string;
}

const KNOWN = ["e", "branch", "try"];

/** Edits as written in an address: JSON in characters that an address may contain. */
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

/** Reads the fragment of an address: `#e=18&branch=b2`. Unknown parts are returned. */
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
