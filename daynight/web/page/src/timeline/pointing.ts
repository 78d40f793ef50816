/** The event at which a picture is pressed that shows `many` events from event `first` on. */
export function eventAt(event: PointerEvent & { currentTarget: SVGSVGElement }, first: number, many: number): number {
  const box = event.currentTarget.getBoundingClientRect();
  return Math.floor(((event.clientX - box.left) / box.width) * many) + first;
}
