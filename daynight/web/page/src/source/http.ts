import { speech, t } from "../words/speech.svelte";
import { type Heard, Live, type Listening, type Place } from "./live";
import { Refusal } from "./refusal";
import type { Acts, Sends, Source } from "./source";
import { TriedSource } from "./tried";
import type { About, Answers, Audit, Edit, GameInfo, GamesPage, MarkPage, MomentPage, Problem, Repairs, State, WantedMarks, WhatIf, Why, WhyPermanent } from "./types";

type Questions = Record<string, string | number | null | undefined>;

/** A path with its parameters, in the language of the page. */
export function address(path: string, questions: Questions = {}): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(questions)) {
    if (value !== null && value !== undefined && value !== "") asked.set(name, String(value));
  }
  asked.set("lang", speech.language);
  return `${path}?${asked}`;
}

/** How often a question is asked again while the server is busy, and after how many milliseconds the first time. */
const TRIES = 6;
const PAUSE = 1_000;

async function answer<T>(path: string, init: RequestInit = {}, tries = 1): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, { credentials: "same-origin", ...init });
  } catch {
    throw new Refusal(0, "unreachable", t("The server does not answer. Is it still running?"));
  }
  if ((response.status === 503 || response.status === 429) && tries > 1 && response.headers.has("Retry-After")) {
    await new Promise((done) => setTimeout(done, PAUSE * (TRIES - tries + 1)));
    if (!init.signal?.aborted) return answer(path, init, tries - 1);
  }
  if (response.ok) return (response.status === 204 ? undefined : await response.json()) as T;
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>;
  const code = problem.type?.replace("urn:daynight:", "") ?? String(response.status);
  const detail = problem.detail ?? t("The server answered {status}.", { status: response.status });
  throw new Refusal(response.status, code, detail, problem);
}

/** The answer to a GET. While the server is busy, it is asked again. */
export function get<T>(path: string, questions: Questions = {}, signal?: AbortSignal): Promise<T> {
  return answer<T>(address(path, questions), signal ? { signal } : {}, TRIES);
}

/** The answer to a POST of JSON. */
export function post<T>(path: string, body: unknown, tries = 1): Promise<T> {
  const headers = { "Content-Type": "application/json" };
  return answer<T>(address(path), { method: "POST", headers, body: JSON.stringify(body) }, tries);
}

/** The answer to a POST that stores nothing. While the server is busy, it is asked again. */
export function inquire<T>(path: string, body: unknown): Promise<T> {
  return post<T>(path, body, TRIES);
}

/** Deletes what is at a path. */
export function drop(path: string): Promise<void> {
  return answer<void>(address(path), { method: "DELETE" });
}

/** An id for a command: random, as many devices may send at once. Works without `randomUUID` too. */
export function commandId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function about(): Promise<About> {
  return get<About>("/v1");
}

export function games(questions: { q?: string; verdict?: string; after?: string | null; limit?: number }): Promise<GamesPage> {
  return get<GamesPage>("/v1/games", questions);
}

/** A game of the server. */
export class HttpSource implements Source {
  readonly computes = true;
  private readonly base: string;

  constructor(readonly id: string) {
    this.base = `/v1/games/${id}`;
  }

  about(): Promise<About> {
    return about();
  }

  game(): Promise<GameInfo> {
    return get(this.base);
  }

  state(at?: number): Promise<State> {
    return get(`${this.base}/state`, { at });
  }

  moments(from: number, limit: number): Promise<MomentPage> {
    return get(`${this.base}/moments`, { from, limit });
  }

  marks(wanted: WantedMarks): Promise<MarkPage> {
    return get(`${this.base}/marks`, { limit: 500, ...wanted });
  }

  why(at: number, edition: string | null): Promise<Why> {
    return get(`${this.base}/why`, { at, edition });
  }

  whyPermanent(at: number, permanent: string, edition: string | null): Promise<WhyPermanent> {
    return get(`${this.base}/why`, { at, permanent, edition });
  }

  audit(): Promise<Audit> {
    return get(`${this.base}/audit`);
  }

  ask<Route extends keyof Answers>(route: Route, questions: Questions = {}): Promise<Answers[Route]> {
    return get(`${this.base}/${route}`, questions);
  }

  mends(event: number): Promise<Repairs> {
    return this.ask("repair", { at: event });
  }

  whatIf(edits: Edit[], keep?: string): Promise<WhatIf> {
    return keep ? post(`${this.base}/what-if`, { edits, keep }) : inquire(`${this.base}/what-if`, { edits });
  }

  act<Route extends string>(route: Route, body: Sends<Route>): Promise<Acts<Route>> {
    return post(`${this.base}/${route}`, { command: commandId(), ...body });
  }

  listen(place: () => Place, heard: Heard): Listening {
    return new Live(address(`${this.base}/live`), place, heard);
  }

  file(name: string, questions: Questions = {}): string {
    return address(`${this.base}/${name}`, questions);
  }

  tried(edits: Edit[]): Source {
    return new TriedSource(this, this.base, edits);
  }

  other(id: string): Source {
    return new HttpSource(id);
  }
}

/** A name as one segment of a path; `~` protects a name that a browser would resolve. */
export function segment(name: string): string {
  const spelled = encodeURIComponent(name).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  return name === "." || name === ".." || name.startsWith("~") ? `~${spelled}` : spelled;
}
