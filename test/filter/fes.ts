/** Filters in XML, FES 2.0 and Filter 1.1, each with the same in SQL over the cities, and bad ones with their faults. */

const name = (text: string): string => `<fes:ValueReference>${text}</fes:ValueReference>`;
const literal = (text: string): string => `<fes:Literal>${text}</fes:Literal>`;
const is = (operator: string, property: string, text: string, attributes = ""): string =>
  `<fes:PropertyIs${operator} ${attributes}>${name(property)}${literal(text)}</fes:PropertyIs${operator}>`;
const like = (text: string, attributes = ""): string =>
  `<fes:PropertyIsLike wildCard="*" singleChar="?" escapeChar="!" ${attributes}>${name("p:name")}${literal(text)}</fes:PropertyIsLike>`;
const box = (corners: readonly [string, string], srsName?: string): string =>
  `<gml:Envelope${srsName === undefined ? "" : ` srsName="${srsName}"`}><gml:lowerCorner>${corners[0]}</gml:lowerCorner><gml:upperCorner>${corners[1]}</gml:upperCorner></gml:Envelope>`;
const area = (list: string, srsName = "urn:ogc:def:crs:EPSG::4326"): string =>
  `<gml:Polygon gml:id="a" srsName="${srsName}"><gml:exterior><gml:LinearRing><gml:posList>${list}</gml:posList></gml:LinearRing></gml:exterior></gml:Polygon>`;
const near = (operator: string, distance: string, unit: string): string =>
  `<fes:${operator}>${name("geom")}<gml:Point gml:id="a"><gml:pos>50 9</gml:pos></gml:Point><fes:Distance uom="${unit}">${distance}</fes:Distance></fes:${operator}>`;
const instant = (text: string): string =>
  `<gml:TimeInstant gml:id="i"><gml:timePosition>${text}</gml:timePosition></gml:TimeInstant>`;
const period = (start: string, end: string): string =>
  `<gml:TimePeriod gml:id="t"><gml:beginPosition>${start}</gml:beginPosition><gml:endPosition>${end}</gml:endPosition></gml:TimePeriod>`;

/** [content of the element Filter, the same in SQL]. Coordinates without a system are latitude first. */
export const FES: readonly (readonly [fes: string, plain: string])[] = [
  [is("EqualTo", "name", "Luxembourg"), "name = 'Luxembourg'"],
  [is("EqualTo", "p:cities/p:name", "LUXEMBOURG", 'matchCase="false"'), "name = 'Luxembourg'"],
  [is("EqualTo", "pop_other", "7", 'matchCase="false"'), "pop_other = 7"],
  [is("NotEqualTo", "name", "Luxembourg"), "name <> 'Luxembourg'"],
  [is("LessThan", "pop_other", "0.5"), "pop_other < 0.5"],
  [is("GreaterThan", "big", "9007199254740992"), "big > 9007199254740992"],
  [is("LessThanOrEqualTo", "price", "1.50"), "price <= 1.5"],
  [is("GreaterThanOrEqualTo", "share", "0.1"), "share >= 0.1"],
  [is("EqualTo", "open", "true"), "open"],
  [is("EqualTo", "kind", "sad"), "kind = 'sad'"],
  [is("GreaterThan", "date", "2021-04-15"), "date > '2021-04-15'"],
  [is("EqualTo", "start", "2021-04-15T12:00:00+02:00"), "start = '2021-04-15T10:00:00Z'"],
  [
    `<fes:PropertyIsGreaterThan>${name("start")}<fes:Literal>${instant("2021-05-01T00:00:00Z")}</fes:Literal></fes:PropertyIsGreaterThan>`,
    "start > '2021-05-01T00:00:00Z'",
  ],
  [`<fes:PropertyIsEqualTo>${literal("7")}${name("pop_other")}</fes:PropertyIsEqualTo>`, "pop_other = 7"],
  [`<fes:PropertyIsLessThan>${name("share")}${name("price")}</fes:PropertyIsLessThan>`, "share < price"],
  [
    `<PropertyIsEqualTo><PropertyName>pop_other</PropertyName><Add><PropertyName>rank</PropertyName><Mul><Literal>2</Literal><Literal>2.5</Literal></Mul></Add></PropertyIsEqualTo>`,
    "pop_other = rank + 5",
  ],
  [like("B*s"), "name like 'B%s'"],
  [like("?tra*"), "name like '_tra%'"],
  [like("b*S", 'matchCase="false"'), "name ilike 'b%s'"],
  [like("100%!*_"), "name = '100%*_'"],
  [`<fes:PropertyIsNull>${name("kind")}</fes:PropertyIsNull>`, "kind is null"],
  [`<fes:PropertyIsNil>${name("kind")}</fes:PropertyIsNil>`, "kind is null"],
  [
    `<fes:PropertyIsBetween>${name("pop_other")}<fes:LowerBoundary>${literal("0")}</fes:LowerBoundary><fes:UpperBoundary>${literal("106219")}</fes:UpperBoundary></fes:PropertyIsBetween>`,
    "pop_other between 0 and 106219",
  ],
  [
    `<fes:And>${is("GreaterThan", "id", "1")}<fes:Not><fes:Or>${is("EqualTo", "id", "2")}${is("GreaterThan", "id", "4")}</fes:Or></fes:Not></fes:And>`,
    "id > 1 and not (id = 2 or id > 4)",
  ],
  [is("EqualTo", "country.name", "Belgium"), "country_id = 2"],
  [`<fes:ResourceId rid="cities.3"/><fes:ResourceId rid="cities.1"/><fes:ResourceId rid="rivers.1"/>`, "id in (1, 3)"],
  [`<FeatureId fid="cities.2"/>`, "id = 2"],
  [`<GmlObjectId gml:id="cities.2"/>`, "id = 2"],
  [is("EqualTo", "@gml:id", "cities.2"), "id = 2"],
  [`<fes:BBOX>${name("geom")}${box(["49 5", "50 7"])}</fes:BBOX>`, "id = 1"],
  [`<fes:BBOX>${box(["5 49", "7 50"], "EPSG:4326")}</fes:BBOX>`, "id = 1"],
  [`<fes:BBOX>${name("utm")}${box(["1001875 6446275", "1001876 6446276.5"], "EPSG:3857")}</fes:BBOX>`, "id = 3"],
  [
    `<fes:Intersects>${name("geom")}${area("49 5 49 7 50 7 50 5 49 5")}</fes:Intersects>`,
    "st_intersects(geom, 'srid=4326;polygon((5 49, 7 49, 7 50, 5 50, 5 49))')",
  ],
  [
    `<fes:Within>${name("geom")}${area("5 49 7 49 7 50 5 50 5 49", "EPSG:4326")}</fes:Within>`,
    "st_intersects(geom, 'srid=4326;polygon((5 49, 7 49, 7 50, 5 50, 5 49))')",
  ],
  [
    `<fes:Disjoint>${name("geom")}${area("49 5 49 7 50 7 50 5 49 5")}</fes:Disjoint>`,
    "st_disjoint(geom, 'srid=4326;polygon((5 49, 7 49, 7 50, 5 50, 5 49))')",
  ],
  [
    `<Equals><PropertyName>geom</PropertyName><gml:Point><gml:coordinates>50,9</gml:coordinates></gml:Point></Equals>`,
    "id = 3",
  ],
  [
    `<fes:Intersects>${name("geom")}<gml:MultiCurve gml:id="m"><gml:curveMember><gml:Curve gml:id="c"><gml:segments><gml:LineStringSegment><gml:posList>50 8 50 9</gml:posList></gml:LineStringSegment><gml:LineStringSegment><gml:posList>50 9 51 9</gml:posList></gml:LineStringSegment></gml:segments></gml:Curve></gml:curveMember></gml:MultiCurve></fes:Intersects>`,
    "id = 3",
  ],
  [near("DWithin", "1", "km"), "id = 3"],
  [near("Beyond", "1000", "urn:ogc:def:uom:UCUM::m"), "id <> 3 and geom is not null"],
  [`<fes:After>${name("start")}${instant("2021-05-01T00:00:00Z")}</fes:After>`, "start > '2021-05-01T00:00:00Z'"],
  [`<fes:Before>${name("date")}${literal("2021-05-01")}</fes:Before>`, "date < '2021-05-01'"],
  [
    `<fes:During>${name("start")}${period("2021-04-01T00:00:00Z", "2021-06-01T00:00:00Z")}</fes:During>`,
    "start > '2021-04-01T00:00:00Z' and start < '2021-06-01T00:00:00Z'",
  ],
  [`<fes:TEquals>${name("date")}${instant("2021-05-01")}</fes:TEquals>`, "date = '2021-05-01'"],
  [
    `<fes:AnyInteracts>${name("date")}${period("2021-05-01", "2021-12-31")}</fes:AnyInteracts>`,
    "date between '2021-05-01' and '2021-12-31'",
  ],
  [`<fes:Begins>${name("date")}${period("2021-05-01", "2021-12-31")}</fes:Begins>`, "date = '2021-05-01'"],
  [`<fes:Ends>${name("date")}${period("2021-01-01", "2021-05-01")}</fes:Ends>`, "date = '2021-05-01'"],
];

const nested = (depth: number): string =>
  "<fes:Not>".repeat(depth) + is("EqualTo", "id", "1") + "</fes:Not>".repeat(depth);

/** [content of the element Filter, its fault]. */
export const BAD_FES: readonly (readonly [fes: string, fault: RegExp])[] = [
  ["", /must have one operator/],
  [is("EqualTo", "id", "1") + is("EqualTo", "id", "2"), /must have one operator/],
  [is("EqualTo", "nothing", "1"), /there is no property "nothing" \(character \d+\)/],
  [is("EqualTo", "id", "one"), /expected a whole number/],
  [is("EqualTo", "id", ""), /expected a whole number/],
  [is("EqualTo", "p:cities/p:id[1]", "1"), /is no path/],
  [is("SomethingElse", "id", "1"), /there is no operator "PropertyIsSomethingElse"/],
  [`<fes:PropertyIsEqualTo>${name("id")}</fes:PropertyIsEqualTo>`, /must have two operands/],
  [`<fes:And>${is("EqualTo", "id", "1")}</fes:And>`, /And must have two operators/],
  [`<fes:Function name="length">${name("id")}</fes:Function>`, /functions such as "length" are not supported here/],
  [
    `<fes:PropertyIsEqualTo><fes:Function name="length">${name("name")}</fes:Function>${literal("1")}</fes:PropertyIsEqualTo>`,
    /functions such as .* are not supported here/,
  ],
  [`<fes:ResourceId/>`, /must have the attribute rid/],
  [`<fes:BBOX>${name("geom")}</fes:BBOX>`, /BBOX must have/],
  [`<fes:BBOX>${box(["50 7", "49 5"])}</fes:BBOX>`, /lower corner of the box is above/],
  [`<fes:BBOX>${box(["49", "50 7"])}</fes:BBOX>`, /box of four or six numbers/],
  [`<fes:BBOX>${box(["49 x", "50 7"])}</fes:BBOX>`, /must have numbers, and has "x"/],
  [`<fes:BBOX>${box(["49 5", "50 7"], "EPSG:1")}</fes:BBOX>`, /no system EPSG:1/],
  [`<fes:Intersects>${name("name")}${area("49 5 49 7 50 7 50 5 49 5")}</fes:Intersects>`, /expected geometry/],
  [`<fes:Intersects>${name("geom")}${area("49 5 49 7 50 7 50 5")}</fes:Intersects>`, /ring/],
  [`<fes:Intersects>${name("geom")}${area("49 5 49 7 50 7 50")}</fes:Intersects>`, /2 numbers for each position/],
  [`<fes:Intersects>${name("geom")}${area("149 5 149 7 50 7 149 5")}</fes:Intersects>`, /latitude/],
  [
    `<fes:Intersects>${name("geom")}<gml:Curve gml:id="c"><gml:segments><gml:Arc><gml:posList>1 1 2 2 1 3</gml:posList></gml:Arc></gml:segments></gml:Curve></fes:Intersects>`,
    /gml:Arc is a curve that cannot be read here/,
  ],
  [near("DWithin", "1", "deg"), /"deg" is not a known unit of length/],
  [near("DWithin", "-1", "m"), /not negative/],
  [`<fes:After>${name("start")}${instant("yesterday")}</fes:After>`, /is not a timestamp/],
  [`<fes:During>${name("name")}${period("2021-01-01", "2021-02-01")}</fes:During>`, /expected a date/],
  [nested(120), /nested deeper than 100/],
  [nested(10_000), /nested deeper than 250 elements/],
  [`<fes:Or>${is("EqualTo", "id", "1").repeat(3000)}</fes:Or>`, /a filter of more than 5000 parts/],
];
