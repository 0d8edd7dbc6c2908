// The page /events: subscribes over the WebSocket, as any client may, and shows what comes.
const byId = (id) => document.getElementById(id);
const [form, token, schema, table, where] = ["choice", "token", "schema", "table", "where"].map(byId);
const [state, list, stop, tokenError] = ["state", "events", "stop", "token-error"].map(byId);
const MOST = 200;
const OPERATIONS = { Added: "insert", Updated: "update", Deleted: "delete" };

let socket;
let fieldsOf = new Map();
let lastPosition;
let retries = 0;

function say(text, isError = false) {
  state.textContent = text;
  state.classList.toggle("error", isError);
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function refuseToken(message) {
  tokenError.textContent = message;
  tokenError.hidden = message === "";
  if (message) token.setAttribute("aria-invalid", "true");
  else token.removeAttribute("aria-invalid");
}

const INTROSPECTION = `{
  __schema {
    subscriptionType { fields { name type { ofType { name } } } }
    types { kind name fields { name args { name } type { kind name ofType { kind name ofType { kind name ofType { kind } } } } } }
  }
}`;

/** Whether it is a value, or a list of values, which need no further selection. */
function isValue(type) {
  return type.ofType ? isValue(type.ofType) : ["SCALAR", "ENUM"].includes(type.kind);
}

/** Fields of a row other than its columns: they carry no news of the table, and a version needs the right to each column. */
const OWN_FIELDS = ["nodeId", "_version"];

/** The group of options, unless it is empty. */
function toGroup(label, names) {
  const options = names.map((name) => element("option", { textContent: name }));
  return options.length === 0 ? [] : [element("optgroup", { label }, ...options)];
}

let loads = 0;

async function loadTables() {
  const load = ++loads;
  fieldsOf = new Map();
  refuseToken("");
  if (!token.value.trim() || !schema.value) return;
  const url = `api/graphql/schema/${encodeURIComponent(schema.value)}`;
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${token.value.trim()}` };
  const [response, switchedOn] = await Promise.all([
    fetch(url, { method: "POST", headers, body: JSON.stringify({ query: INTROSPECTION }) }),
    fetch(`${url}/events`, { headers }),
  ]).catch(() => []);
  if (load !== loads) return; // another token or schema was chosen meanwhile
  if (!response) return say("The service does not answer.", true);
  if (response.status === 401) return refuseToken("This token is not accepted.");
  const [{ data, errors }, tables] = await Promise.all([response.json(), switchedOn.json()]);
  if (load !== loads) return;
  if (!data) return say(errors?.[0]?.message ?? "The tables cannot be listed.", true);
  const types = new Map(data.__schema.types.map((type) => [type.name, type]));
  for (const field of data.__schema.subscriptionType?.fields ?? []) {
    if (!field.name.endsWith("MessageAdded") || !field.type.ofType) continue;
    const { fields } = types.get(field.type.ofType.name);
    const values = fields
      .filter(({ name, type, args }) => args.length === 0 && isValue(type) && !OWN_FIELDS.includes(name))
      .map(({ name }) => name);
    fieldsOf.set(field.name.slice(0, -"MessageAdded".length), values);
  }
  const chosen = table.value;
  const on = new Set(switchedOn.ok ? tables.map(({ type }) => type) : []);
  const names = [...fieldsOf.keys()].sort();
  table.replaceChildren(
    ...toGroup(
      "Events are on",
      names.filter((name) => on.has(name)),
    ),
    ...toGroup(
      "Events are off, or not for this account",
      names.filter((name) => !on.has(name)),
    ),
  );
  if (fieldsOf.has(chosen)) table.value = chosen;
  table.disabled = fieldsOf.size === 0;
}

function toQuery(name) {
  const filter = where.value.trim() ? `(where: ${JSON.stringify(where.value.trim())})` : "";
  const selection = (fieldsOf.get(name) ?? []).join(" ") || "__typename";
  const fields = Object.keys(OPERATIONS).map((what) => `${name}Message${what}${filter} { ${selection} }`);
  return `subscription { ${fields.join(" ")} }`;
}

function show(data) {
  for (const [field, rows] of Object.entries(data ?? {})) {
    const operation = OPERATIONS[field.slice(field.lastIndexOf("Message") + "Message".length)] ?? field;
    for (const row of rows ?? []) {
      const summary = Object.values(row)
        .filter((value) => ["string", "number", "boolean"].includes(typeof value))
        .slice(0, 3)
        .join(" · ");
      const time = new Date();
      const details = element(
        "details",
        {},
        element(
          "summary",
          {},
          element("span", { className: `operation ${operation}`, textContent: operation }),
          element("span", { className: "summary", textContent: summary }),
          element("time", { dateTime: time.toISOString(), textContent: time.toLocaleTimeString() }),
        ),
        element("pre", {}, element("code", { textContent: JSON.stringify(row, null, 2) })),
      );
      list.prepend(element("li", {}, details));
    }
  }
  while (list.children.length > MOST) list.lastElementChild.remove();
}

function follow() {
  end();
  const name = table.value;
  if (!name) return say("Choose a table.", true);
  const url = new URL(".", document.baseURI);
  url.protocol = url.protocol.replace("http", "ws");
  url.searchParams.set("token", token.value.trim());
  const own = new WebSocket(url);
  socket = own;
  stop.disabled = false;
  say("Connecting …");
  own.onopen = () =>
    own.send(
      JSON.stringify({ type: "subscribe", id: "1", schema: schema.value, query: toQuery(name), after: lastPosition }),
    );
  own.onmessage = ({ data: text }) => {
    const message = JSON.parse(text);
    if (message.position) lastPosition = message.position;
    if (message.type === "subscribe_ack") {
      retries = 0;
      say(`Following ${name}. Nothing before now is shown.`);
    } else if (message.type === "subscription") {
      say(`Following ${name}.`);
      show(message.data);
    } else if (message.type === "gap") say("Some events are gone, or the table was emptied; following goes on.", true);
    else if (message.type === "error") {
      end();
      if (message.error.endsWith("_token")) refuseToken(message.message);
      say(message.message, true);
    }
  };
  own.onclose = () => {
    if (socket !== own) return;
    // missed changes come first, because the position is known
    say("The connection was lost. Connecting again …", true);
    setTimeout(() => socket === own && follow(), Math.min(10_000, 500 * 2 ** retries++));
  };
}

function end() {
  const own = socket;
  socket = undefined;
  own?.close();
  stop.disabled = true;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  lastPosition = undefined;
  if (fieldsOf.size === 0) await loadTables();
  if (fieldsOf.size > 0) follow();
});
stop.addEventListener("click", () => {
  end();
  say("Stopped.");
});
byId("clear").addEventListener("click", () => list.replaceChildren());
token.addEventListener("change", loadTables);
schema.addEventListener("change", loadTables);
loadTables();
