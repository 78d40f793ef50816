const WORKER = "/assets/service-worker.js";

interface Policies {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): { createScriptURL(address: string): string };
}

/**
 * Makes the browser keep the page, so that it opens without a network. Only a secure origin may do that: elsewhere the
 * queue still outlives a lost connection, as long as the page is open.
 */
export async function stay(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const policies = (window as unknown as { trustedTypes?: Policies }).trustedTypes;
  const address = policies?.createPolicy("daynight-worker", { createScriptURL: () => WORKER }).createScriptURL(WORKER) ?? WORKER;
  try {
    await navigator.serviceWorker.register(address, { scope: "/" });
  } catch {
    // A browser that does not trust the certificate runs no service worker; the page works without it.
  }
}
