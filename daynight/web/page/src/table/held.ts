const LONG = 550;

/**
 * A long press: `long` is called after a while, and the click that follows is ignored. The same action is
 * in a menu, for people who cannot hold a button down.
 */
export function held(node: HTMLElement, long: () => void): { destroy(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lasted = false;
  const down = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    lasted = false;
    clearTimeout(timer);
    timer = setTimeout(() => {
      lasted = true;
      long();
    }, LONG);
  };
  const up = (): void => clearTimeout(timer);
  const click = (event: MouseEvent): void => {
    if (!lasted) return;
    lasted = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const menu = (event: Event): void => event.preventDefault();
  node.addEventListener("pointerdown", down);
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) node.addEventListener(name, up);
  node.addEventListener("click", click, true);
  node.addEventListener("contextmenu", menu);
  return { destroy: up };
}
