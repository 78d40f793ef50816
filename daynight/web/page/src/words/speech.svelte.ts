import fr from "./fr.json";
import ja from "./ja.json";

export const LANGUAGES = { en: "English", fr: "Français", ja: "日本語" } as const;
export type Language = keyof typeof LANGUAGES;

type Catalogue = Record<string, string | string[]>;
type Values = Record<string, string | number>;

const CATALOGUES: Record<Language, Catalogue> = { en: {}, fr, ja };
const KEPT = "daynight.language";

function isLanguage(word: string | null | undefined): word is Language {
  return word === "en" || word === "fr" || word === "ja";
}

function first(): Language {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem(KEPT);
  } catch {
    // A browser may refuse to store anything.
  }
  if (isLanguage(kept)) return kept;
  return navigator.languages.map((each) => each.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

class Speech {
  language = $state<Language>(first());

  speak(language: Language): void {
    this.language = language;
    try {
      localStorage.setItem(KEPT, language);
    } catch {
      // Not stored then: the language holds until the page is left.
    }
  }
}

/** The language of the page. */
export const speech = new Speech();

function filled(sentence: string, values: Values): string {
  return sentence.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

/** A sentence in the language of the page. */
export function t(sentence: string, values: Values = {}): string {
  const found = CATALOGUES[speech.language][sentence];
  return filled(typeof found === "string" ? found : sentence, values);
}

/** A sentence with a count `n`: its catalogues have the singular and the plural forms. */
export function counted(one: string, many: string, n: number, values: Values = {}): string {
  const found = CATALOGUES[speech.language][`${one}\n${many}`];
  const forms = Array.isArray(found) ? found : [one, many];
  const plural = speech.language === "fr" ? n > 1 : n !== 1;
  return filled(forms[Math.min(plural ? 1 : 0, forms.length - 1)] ?? many, { n: new Intl.NumberFormat(speech.language).format(n), ...values });
}

/** A list of names, joined as the language does. */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(speech.language, { type: "conjunction" }).format(names);
}
