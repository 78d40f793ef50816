/** Keeps the screen on while the page is visible, if the browser can: on plain http it cannot. */
export function awake(): () => void {
  let ended = false;
  const ask = (): void => {
    if (ended || document.hidden || !("wakeLock" in navigator)) return;
    void navigator.wakeLock.request("screen").catch(() => undefined);
  };
  document.addEventListener("visibilitychange", ask);
  ask();
  return () => {
    ended = true;
    document.removeEventListener("visibilitychange", ask);
  };
}
