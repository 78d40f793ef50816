/** Whether the user has asked for reduced motion. */
export function still(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
