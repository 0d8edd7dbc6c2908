/** Light or dark: by the system, or as chosen in this browser. */

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const STORED = "portolan:theme";
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
let theme: Theme = THEMES.find((each) => each === localStorage.getItem(STORED)) ?? "system";

/** Applies the theme. Call it before the first drawing. */
export function applyTheme(): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export const themeNow = (): Theme => theme;

export function chooseTheme(chosen: Theme): void {
  theme = chosen;
  localStorage.setItem(STORED, chosen);
  applyTheme();
  for (const listener of listeners) listener();
}

export const isDark = (): boolean => theme === "dark" || (theme === "system" && systemIsDark.matches);

/** Calls `then` when the colours of the page may have changed, until the returned function is called. */
export function onThemeChange(then: () => void): () => void {
  listeners.add(then);
  systemIsDark.addEventListener("change", then);
  return () => {
    listeners.delete(then);
    systemIsDark.removeEventListener("change", then);
  };
}
