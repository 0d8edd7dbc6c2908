const BROWSERS = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Opera", /\bOPR\//],
  ["Chrome", /\b(HeadlessChrome|Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
] as const;
const SYSTEMS = [
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
] as const;

/** The common name of the browser and system in a User-Agent, such as `Firefox, Linux`; else its first 80 characters. */
export function browserName(agent: string): string {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(agent))?.[0];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(agent))?.[0];
  return browser === undefined ? agent.slice(0, 80) : [browser, system].filter(Boolean).join(", ");
}
