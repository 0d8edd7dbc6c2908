// The packages that this package depends on, for `npm pack`: sbom.cdx.json (CycloneDX 1.5) and LICENSES.md, from package-lock.json alone, so that
// the same sources give the same files. `npm sbom --omit=dev` leaves out what development needs too.

import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const checkout = path.resolve(import.meta.dirname, "../..");
const read = (file) => readFileSync(path.join(checkout, file), "utf8");
const { name, version, license, dependencies, devDependencies } = JSON.parse(read("package.json"));
const locked = JSON.parse(read("package-lock.json")).packages;

/** npm finds no licence in the package.json of these. */
const KNOWN = { "dejavu-fonts-ttf": "Bitstream-Vera" };

/** Packages for development that are in the bundle of the console. */
function bundled() {
  const sources = globSync("console/src/**/*.{ts,tsx}", { cwd: checkout }).map(read).join("\n");
  return Object.keys(devDependencies).filter((one) => new RegExp(`from "${one}["/]`).test(sources));
}

/** The place where a package at `place` finds `wanted`: beside it, or in a folder above. */
function locate(place, wanted) {
  for (let folder = place; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, "")) {
    const found = `${folder === "" ? "" : `${folder}/`}node_modules/${wanted}`;
    if (locked[found]) return found;
    if (folder === "") return undefined; // an optional one, of another system
  }
}

/** SPDX knows ids and expressions of them; anything else is a name. */
function toLicence(text) {
  if (/^[\w.+-]+$/.test(text)) return { license: { id: text } };
  return /^SEE /.test(text) ? { license: { name: text } } : { expression: text };
}

const places = new Set();
const waiting = [...Object.keys(dependencies), ...bundled()].map((one) => locate("", one));
for (let place = waiting.pop(); waiting.length > 0 || place !== undefined; place = waiting.pop()) {
  if (place === undefined || places.has(place)) continue;
  places.add(place);
  const { dependencies: own, optionalDependencies, peerDependencies } = locked[place];
  for (const one of Object.keys({ ...own, ...optionalDependencies, ...peerDependencies }))
    waiting.push(locate(place, one));
}

const components = [...places].sort().map((place) => {
  const own = locked[place];
  const packageName = own.name ?? place.replace(/^.*node_modules\//, "");
  const purl = `pkg:npm/${packageName.replace("@", "%40")}@${own.version}`;
  const [algorithm = "", digest = ""] = (own.integrity ?? "").split("-");
  const licence = own.license ?? KNOWN[packageName];
  return {
    type: "library",
    "bom-ref": `${purl}#${place}`,
    name: packageName,
    version: own.version,
    purl,
    ...(algorithm === "sha512" && {
      hashes: [{ alg: "SHA-512", content: Buffer.from(digest, "base64").toString("hex") }],
    }),
    ...(licence && { licenses: [toLicence(licence)] }),
  };
});
const sbom = {
  $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: {
    component: {
      type: "application",
      name,
      version,
      purl: `pkg:npm/${name}@${version}`,
      licenses: [{ license: { id: license } }],
    },
  },
  components,
};
writeFileSync(path.join(checkout, "sbom.cdx.json"), `${JSON.stringify(sbom, null, 2)}\n`);

const rows = components.map((one) => {
  const [licence] = one.licenses ?? [];
  const words = licence?.expression ?? licence?.license.id ?? licence?.license.name ?? "unknown";
  return `| ${one.name} | ${one.version} | ${words} |`;
});
const head = `# Licences\n\nPackages that ${name} ${version} needs, or has in the bundle of the console.\n\n| package | version | licence |\n|---|---|---|\n`;
writeFileSync(path.join(checkout, "LICENSES.md"), `${head}${[...new Set(rows)].sort().join("\n")}\n`);
