/** Whether movement is unwelcome. */
export function still(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
