import { t } from "../words/speech.svelte";

/** A value of a part in words: several values if the record leaves it open, or a range of numbers. */
export function told(values: unknown): string {
  if (values === null || values === undefined) return "–";
  if (Array.isArray(values)) return values.length === 0 ? "–" : values.map(told).join(t(" or "));
  if (typeof values === "object") {
    const range = values as { least?: number; most?: number | null; at_least?: number; at_most?: number | null };
    const least = range.least ?? range.at_least;
    const most = range.most ?? range.at_most;
    if (least !== undefined) return most === null || most === undefined ? t("{n} or more", { n: least }) : t("{least} to {most}", { least, most });
    return JSON.stringify(values);
  }
  return String(values);
}
