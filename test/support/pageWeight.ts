/** What a page weighs. */

/**
 * The bytes of a page and of all that it loads: style sheets with their fonts, scripts and pictures, uncompressed. `html` is the
 * page, as it came from `url`.
 */
export async function weightOf(html: string, url: string): Promise<number> {
  const seen = new Set<string>();
  async function withNames(text: string, names: RegExp, base: string): Promise<number> {
    const loaded = [...text.matchAll(names)]
      .map(([, name = ""]) => name)
      .filter((name) => !name.startsWith("data:"))
      .map((name) => load(new URL(name, base).href));
    return (await Promise.all(loaded)).reduce((sum, bytes) => sum + bytes, 0);
  }
  async function load(address: string): Promise<number> {
    if (seen.has(address)) return 0;
    seen.add(address);
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address} answers ${response.status}`);
    const body = Buffer.from(await response.arrayBuffer());
    const isStyle = (response.headers.get("content-type") ?? "").includes("css");
    return body.length + (isStyle ? await withNames(body.toString(), /url\("?([^")]+)"?\)/g, address) : 0);
  }
  const loads = /<(?:link[^>]+href|script[^>]+src|img[^>]+src)="([^"#]+)"/g;
  return Buffer.byteLength(html) + (await withNames(html, loads, url));
}
