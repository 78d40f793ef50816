const LONG = 550;

/**
 * A press that is held: `long` is called once it has lasted, and the click that follows is left out. What it does is
 * in a menu too, for those who cannot hold.
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
