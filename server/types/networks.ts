/** Network addresses as PostgreSQL prints and reads them, as text that compares like `inet`. */

/**
 * Ordered first by family, then by the bits of the network, then by their number, then by the whole address, as PostgreSQL
 * orders `inet` and `cidr`. `isCidr`: no bits to the right of the network. Undefined for a text that is no address.
 */
export function networkOf(text: string, isCidr = false): string | undefined {
  const [, address = "", mask] = /^\s*([0-9a-f.:]+)(?:\/(\d{1,3}))?\s*$/i.exec(text) ?? [];
  const bytes = address.includes(":") ? ipv6(address) : ipv4(address);
  if (!bytes) return undefined;
  const most = bytes.length * 8;
  const length = mask === undefined ? most : Number(mask);
  if (length > most) return undefined;
  const bits = bytes.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const network = bits.slice(0, length);
  if (isCidr && bits.slice(length).includes("1")) return undefined;
  // a space sorts before any bit, so the larger of two nested networks comes first
  return `${bytes.length === 4 ? 4 : 6}${network.padEnd(most, " ")}${bits}`;
}

function ipv4(text: string): number[] | undefined {
  const parts = text.split(".");
  const isValid = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256);
  return isValid ? parts.map(Number) : undefined;
}

function ipv6(text: string): number[] | undefined {
  const last = text.lastIndexOf(":") + 1;
  if (last > 0 && text.includes(".", last)) {
    const tail = ipv4(text.slice(last));
    if (!tail) return undefined;
    const [a = 0, b = 0, c = 0, d = 0] = tail;
    return ipv6(`${text.slice(0, last)}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`);
  }
  const halves = text.split("::");
  const [before = [], after = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - before.length - after.length;
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return undefined;
  const groups = [...before, ...Array<string>(missing).fill("0"), ...after];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return groups.flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 255]);
}
