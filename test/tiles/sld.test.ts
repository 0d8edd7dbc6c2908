import assert from "node:assert/strict";
import { parseXml, type XmlElement } from "../../server/types/xml.ts";
import { tileGateway, type TileGateway } from "./fixture.ts";

const STYLE = [
  {
    name: "Parks & more",
    where: { and: [{ kind: { in: ["park", "a<b"] } }, { height: { gte: 5 } }] },
    maxScale: 1_000_000,
    styles: [{ color: "#00ff00", outlineColor: "#102030", width: "height", opacity: 50, pattern: [4, 2] }],
    labels: [{ text: "{kind} ({height} m)", size: 12, outlineColor: "#ffffff", position: "uc" }],
  },
  { name: "Named", where: { kind: { startsWith: "10%_" } }, styles: [{ symbol: "hatch", color: "#ff0000", size: 5 }] },
  { name: "By nothing", where: { kind: { in: [] } }, styles: [{ color: "#000000" }] },
  { name: "Others", styles: [{ color: "#0000ff" }] },
];

/** All elements of a name, wherever they are. */
function all(element: XmlElement, name: string): XmlElement[] {
  return [...(element.name === name ? [element] : []), ...element.children.flatMap((child) => all(child, name))];
}

const textOf = (element: XmlElement | undefined, name: string): string | undefined =>
  element && all(element, name)[0]?.text;

describe("styles as SLD", () => {
  let gateway: TileGateway;

  before(async () => {
    gateway = await tileGateway({
      prepare: ({ client }) =>
        client.query(`
select portolan.set_style('gis.squares', '${JSON.stringify(STYLE)}');
select portolan.set_style('gis.points', '[{"name": "All", "styles": [{"symbol": "diamond", "size": "size", "angle": 30, "color": "#ff0000"}]}]')`),
    });
  });
  after(() => gateway.close());

  const address = (collection: string): string => `${gateway.root}/collections/${collection}/styles/default`;
  const read = async (collection: string): Promise<XmlElement> => {
    const response = await fetch(`${address(collection)}?f=sld`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "application/vnd.ogc.sld+xml");
    return parseXml(await response.text());
  };

  it("have a rule for each class, with its scales, symbols and labels", async () => {
    const document = await read("gis.squares");
    assert.equal(document.name, "StyledLayerDescriptor");
    assert.equal(document.attributes.get("version"), "1.1.0");
    assert.equal(textOf(all(document, "NamedLayer")[0], "Name"), "gis.squares");
    const rules = all(document, "Rule");
    const [parks] = rules;
    assert.equal(textOf(parks, "Name"), "Parks & more");
    assert.equal(textOf(parks, "MaxScaleDenominator"), "1000000");
    const parameters = new Map(all(parks!, "SvgParameter").map((each) => [each.attributes.get("name"), each]));
    assert.equal(parameters.get("stroke")!.text, "#102030");
    assert.equal(parameters.get("fill-opacity")!.text, "0.5");
    assert.equal(parameters.get("stroke-dasharray")!.text, "4 2");
    assert.equal(textOf(parameters.get("stroke-width"), "PropertyName"), "height");
    const [label] = all(parks!, "Label");
    assert.deepEqual(
      all(label!, "PropertyName").map(({ text }) => text),
      ["kind", "height"],
    );
    assert.equal(textOf(parks, "AnchorPointY"), "0");
  });

  it("say the condition of a class, and that no class before it is met", async () => {
    const rules = all(await read("gis.squares"), "Rule");
    const [parks] = rules;
    assert.deepEqual(
      all(parks!, "Literal").map(({ text }) => text),
      ["park", "a<b", "5"],
    );
    assert.equal(all(parks!, "Not").length, 0);
    const others = rules.filter((each) => textOf(each, "Name") === "Others");
    assert.equal(others.length, 2, "one for each side of the limit of scales");
    assert.deepEqual(
      others.map((each) => all(each, "Not").length),
      [1, 1],
    );
    assert.ok(
      all(others[0]!, "Literal").length > all(others[1]!, "Literal").length,
      "parks are only before it up to there",
    );
    const [pattern] = all(
      rules.find((each) => textOf(each, "Name") === "Named")!,
      "PropertyIsLike",
    );
    assert.equal(textOf(pattern, "Literal"), "10\\%\\_%");
  });

  it("name the classes that Filter Encoding has no words for", async () => {
    const document = await read("gis.squares");
    assert.match(textOf(document, "Abstract") ?? "", /By nothing/);
    assert.ok(!all(document, "Rule").some((each) => textOf(each, "Name") === "By nothing"));
  });

  it("have marks, turned clockwise", async () => {
    const document = await read("gis.points");
    assert.equal(textOf(document, "WellKnownName"), "square");
    assert.equal(textOf(document, "Rotation"), "15");
    assert.equal(textOf(all(document, "Size")[0], "PropertyName"), "size");
  });

  it("have a part for each kind of geometry where the column takes any", async () => {
    const kinds = all(await read("gis.mixed"), "SemanticTypeIdentifier").map(({ text }) => text);
    assert.deepEqual(kinds, ["generic:polygon", "generic:line", "generic:point"]);
  });

  it("are linked from the styles of a collection, and found by Accept", async () => {
    const styles = (await (await fetch(`${gateway.root}/collections/gis.points/styles?f=json`)).json()) as {
      styles: { links: { rel: string; type: string; href: string }[] }[];
    };
    const types = styles.styles[0]!.links.filter(({ rel }) => rel === "stylesheet").map(({ type }) => type);
    assert.deepEqual(types, ["application/vnd.mapbox.style+json", "application/vnd.ogc.sld+xml"]);
    const accepted = await fetch(address("gis.points"), { headers: { accept: "application/vnd.ogc.se+xml" } });
    assert.equal(accepted.headers.get("content-type"), "application/vnd.ogc.sld+xml");
    assert.equal((await fetch(`${gateway.root}/styles/default?f=sld`)).status, 400, "of several there is none");
    assert.equal((await fetch(`${gateway.root}/collections/gis.points/styles/other?f=sld`)).status, 404);
  });
});
