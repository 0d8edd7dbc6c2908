// The page /methods: lists what the account may call, makes a form of the parameters' types, and shows the result.
const field = document.getElementById("token");
const state = document.getElementById("token-state");
const list = document.getElementById("list");
const none = document.getElementById("none");
const main = document.getElementById("method");
const MAX_ROWS = 500;
async function api(path, body) {
  const response = await fetch(new URL(`api/v4/${path}`, document.baseURI), {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${field.value.trim()}`, ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  state.textContent = response.status === 401 ? (field.value.trim() ? "not accepted" : "needed") : "";
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.detail ?? response.statusText);
  return answer;
}

function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties))
    if (key in made && key !== "list") made[key] = value;
    else made.setAttribute(key, value);
  made.append(...children);
  return made;
}

async function load() {
  list.replaceChildren();
  none.hidden = true;
  let methods;
  try {
    methods = await api("methods");
  } catch (error) {
    main.replaceChildren(element("p", { className: "alert", role: "alert" }, error.message));
    return;
  }
  none.hidden = methods.length > 0;
  list.append(
    ...methods.map((method) => {
      const button = element("button", { type: "button" }, method.method);
      button.addEventListener("click", () => {
        for (const other of list.querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
        button.setAttribute("aria-current", "true");
        show(method.method, button);
      });
      return element("li", {}, button);
    }),
  );
  main.replaceChildren(element("p", { className: "quiet" }, methods.length > 0 ? "Choose a method." : ""));
}

async function show(name, button) {
  const method = await api(`methods/${encodeURIComponent(name)}`);
  if (!button.hasAttribute("aria-current")) return; // another was chosen meanwhile
  const form = element("form", { className: "call" });
  const inputs = fieldsOf(method);
  for (const { box } of inputs) form.append(box);
  const output = element("section", { "aria-live": "polite", className: "answer" });
  form.append(
    element(
      "div",
      { className: "buttons" },
      element("button", { type: "submit", value: "run" }, "Run"),
      element("button", { type: "submit", value: "dry" }, "Dry run"),
    ),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const dry = event.submitter?.value === "dry";
    output.replaceChildren(element("p", { className: "quiet" }, "Running …"));
    try {
      const params = Object.assign({}, ...inputs.map(({ read }) => read()));
      const answer = await api(dry ? "call/dry" : "call", { jsonrpc: "2.0", method: name, params, id: 1 });
      if (answer.error) throw new Error(explain(answer.error));
      output.replaceChildren(...present(answer.result));
      if (dry && !method.input_schema) show(name, button);
    } catch (error) {
      output.replaceChildren(element("p", { className: "alert", role: "alert" }, error.message));
    }
  });
  const published = method.published ? "published" : "not published";
  main.replaceChildren(
    element("h2", {}, method.method),
    ...(method.description ? [element("p", {}, method.description)] : []),
    element(
      "p",
      { className: "quiet" },
      method.function
        ? `The function ${method.function.schema}.${method.function.name}.`
        : `${method.owner ? `Of ${method.owner}, ` : ""}${published}, as ${method.output_format}.`,
    ),
    ...(method.input_schema || method.function
      ? []
      : [element("p", { className: "hint" }, "A dry run finds the types of this method.")]),
    element("details", {}, element("summary", {}, "Statement"), element("pre", {}, element("code", {}, method.q))),
    ...(method.output_schema ? [columnsOf(method.output_schema)] : []),
    form,
    output,
  );
  main.focus({ preventScroll: true });
}

function columnsOf(schema) {
  const items = Object.entries(schema).map(([name, { typescript }]) =>
    element("li", {}, element("code", {}, `${name}: ${typescript}`)),
  );
  return element("details", {}, element("summary", {}, `Result: ${items.length} columns`), element("ul", {}, ...items));
}

const NUMBERS = new Set(["int2", "int4", "float4", "float8"]);
const TEXTS = new Set([
  "text",
  "varchar",
  "bpchar",
  "uuid",
  "numeric",
  "int8",
  "date",
  "time",
  "timestamp",
  "timestamptz",
  "timetz",
  "inet",
  "bytea",
]);

/** One field for each parameter, or, as long as no dry run has typed them, one for all as JSON. */
function fieldsOf({ q, input_schema: schema }) {
  if (!schema) {
    const names = [...new Set([...q.matchAll(/(?<![:\w]):([A-Za-z_]\w*)/g)].map(([, name]) => name))];
    if (names.length === 0) return [];
    const guess = JSON.stringify(Object.fromEntries(names.map((name) => [name, null])), null, 2);
    const area = element("textarea", { id: "params", rows: names.length + 2, value: guess, spellcheck: false });
    return [
      {
        box: element(
          "div",
          { className: "field" },
          element("label", { htmlFor: "params" }, "Parameters as JSON"),
          area,
        ),
        read: () => parse("parameters", area.value),
      },
    ];
  }
  return Object.entries(schema).map(([name, { type, array, typescript, optional }], index) => {
    const id = `param-${index}`;
    const labels = typescript.match(/^"/) && typescript.split(" | ").map((text) => JSON.parse(text));
    let input;
    let read;
    if (!array && labels) {
      input = element("select", { id }, ...labels.map((label) => element("option", {}, label)));
      read = () => input.value;
    } else if (!array && type === "bool") {
      input = element("input", { id, type: "checkbox" });
      read = () => input.checked;
    } else if (!array && NUMBERS.has(type)) {
      input = element("input", { id, type: "number", step: type.startsWith("int") ? "1" : "any" });
      read = () => (input.value === "" ? null : Number(input.value));
    } else if (!array && TEXTS.has(type)) {
      input = element("input", { id, type: type === "date" ? "date" : "text" });
      read = () => (input.value === "" && type !== "text" && type !== "varchar" ? null : input.value);
    } else {
      input = element("textarea", { id, rows: 3, spellcheck: false, placeholder: "JSON" });
      read = () => (input.value.trim() === "" ? null : parse(name, input.value));
    }
    const label = element(
      "label",
      { htmlFor: id },
      `${name} `,
      element("span", { className: "type" }, `${type}${array ? "[]" : ""}${optional ? ", may be left out" : ""}`),
    );
    // an argument that has a default
    const isLeftOut = () => optional && input.type !== "checkbox" && input.value === "";
    return {
      box: element("div", { className: "field" }, label, input),
      read: () => (isLeftOut() ? {} : { [name]: read() }),
    };
  });
}

function parse(name, text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${name}: this is no JSON`);
  }
}

function explain({ message, data = {} }) {
  const { detail, sqlstate, hint } = data;
  return [detail ?? message, sqlstate && `SQLSTATE ${sqlstate}`, hint].filter(Boolean).join(" · ");
}

function present({ schema, data, format, affected_rows: affected, notes = [] }) {
  const parts = notes.map((note) => element("p", { className: "hint" }, note));
  if (format === "excel") return [...parts, download(data)];
  if (format !== undefined) return [...parts, element("pre", {}, data.slice(0, 20_000))];
  if (affected !== undefined) return [...parts, element("p", {}, `${affected} rows written.`)];
  const names = Object.keys(schema);
  const shapes = names
    .filter((name) => !schema[name].array && ["geometry", "geography"].includes(schema[name].type))
    .flatMap((name) => data.map((row) => row[name]).filter(Boolean));
  const count = data.length === 1 ? "1 row" : `${data.length} rows`;
  return [
    ...parts,
    element(
      "p",
      { className: "quiet" },
      data.length > MAX_ROWS ? `${count}, of which the first ${MAX_ROWS} are shown` : count,
    ),
    ...(shapes.length > 0 ? [mapOf(shapes)] : []),
    element(
      "div",
      { className: "result", tabIndex: 0, role: "region", "aria-label": "Result" },
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name)))),
        element(
          "tbody",
          {},
          ...data.slice(0, MAX_ROWS).map((row) => element("tr", {}, ...names.map((name) => cell(row[name])))),
        ),
      ),
    ),
  ];
}

function cell(value) {
  if (value === null) return element("td", { className: "null" }, "null");
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return element("td", {}, text.length > 200 ? `${text.slice(0, 200)} …` : text);
}

function download(base64) {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const href = URL.createObjectURL(new Blob([bytes]));
  return element("p", {}, element("a", { href, download: "result.xlsx" }, "result.xlsx"));
}

// A map without a server: shapes in their own coordinates, over a graticule of round numbers.
const SVG = "http://www.w3.org/2000/svg";

function positionsOf({ type, coordinates, geometries }) {
  if (type === "GeometryCollection") return geometries.flatMap(positionsOf);
  const flat = (part) => (typeof part[0] === "number" ? [part] : part.flatMap(flat));
  return coordinates.length === 0 ? [] : flat(coordinates);
}

function mapOf(shapes) {
  const positions = shapes.flatMap(positionsOf);
  const range = (axis) =>
    positions.reduce(([least, most], p) => [Math.min(least, p[axis]), Math.max(most, p[axis])], [Infinity, -Infinity]);
  let [[minX, maxX], [minY, maxY]] = [range(0), range(1)];
  const margin = Math.max(maxX - minX, maxY - minY) * 0.08 || 1;
  [minX, maxX, minY, maxY] = [minX - margin, maxX + margin, minY - margin, maxY + margin];
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "map");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `Map of ${shapes.length} geometries`);
  svg.setAttribute("viewBox", `${minX} ${-maxY} ${maxX - minX} ${maxY - minY}`);
  const add = (name, attributes) => {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    svg.append(made);
  };
  const step = 10 ** Math.floor(Math.log10((maxX - minX) / 2));
  let lines = "";
  for (let x = Math.ceil(minX / step) * step; x <= maxX; x += step) lines += `M${x} ${-minY}V${-maxY}`;
  for (let y = Math.ceil(minY / step) * step; y <= maxY; y += step) lines += `M${minX} ${-y}H${maxX}`;
  add("path", { class: "graticule", d: lines });
  const radius = Math.max(maxX - minX, maxY - minY) / 120;
  const line = (points) => points.map(([x, y], n) => `${n === 0 ? "M" : "L"}${x} ${-y}`).join("");
  const draw = ({ type, coordinates, geometries }) => {
    const parts = type.startsWith("Multi") ? coordinates : [coordinates];
    if (type === "GeometryCollection") geometries.forEach(draw);
    else if (type.endsWith("Point"))
      for (const [x, y] of parts) x === undefined || add("circle", { class: "shape", cx: x, cy: -y, r: radius });
    else if (type.endsWith("LineString")) for (const part of parts) add("path", { class: "shape line", d: line(part) });
    else
      for (const part of parts)
        add("path", { class: "shape", d: part.map((ring) => `${line(ring)}Z`).join(""), "fill-rule": "evenodd" });
  };
  shapes.slice(0, 5000).forEach(draw);
  return svg;
}

const bar = document.getElementById("token-bar");
bar.addEventListener("submit", (event) => {
  event.preventDefault();
  load();
});
bar.querySelector("[type=submit]").disabled = false;
if (field.value) load();
