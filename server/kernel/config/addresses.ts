/** Ranges of addresses, as options have them. */
import { BlockList, isIP } from "node:net";
import { z } from "zod";

export const cidr = z.string().refine((text) => parseCidr(text) !== undefined, {
  error: (issue) => `${JSON.stringify(issue.input)} is no address or CIDR range`,
});

function parseCidr(text: string): { address: string; prefix: number; family: "ipv4" | "ipv6" } | undefined {
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return undefined;
  const most = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : NaN;
  return prefix <= most ? { address, prefix, family: version === 4 ? "ipv4" : "ipv6" } : undefined;
}

/** The ranges of `trustedProxies` as something that can be asked. */
export function toBlockList(ranges: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const range of ranges) {
    const parsed = parseCidr(range);
    if (parsed) blocks.addSubnet(parsed.address, parsed.prefix, parsed.family);
  }
  return blocks;
}
