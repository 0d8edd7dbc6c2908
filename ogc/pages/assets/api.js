// Sends the forms of the API page, and shows the answer below each.
"use strict";
const token = document.getElementById("token");
document.getElementById("token-bar").hidden = false;
document.getElementById("token-bar").addEventListener("submit", (event) => event.preventDefault());
const MOST = 20_000;

function addressOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const input of form.querySelectorAll("[data-in]"))
    if (input.dataset.in === "path") path = path.replace(`{${input.name}}`, encodeURIComponent(input.value));
    else if (input.dataset.in === "query" && input.value !== "") query.set(input.name, input.value);
  return query.size > 0 ? `${path}?${query}` : path;
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** Indents JSON and keeps the digits of each number. A browser that cannot keep them shows the text unchanged. */
function indented(text) {
  if (!JSON.rawJSON) return text;
  const exact = (_key, value, { source }) => (typeof value === "number" ? JSON.rawJSON(source) : value);
  return JSON.stringify(JSON.parse(text, exact), null, 2);
}

async function send(form) {
  const output = form.querySelector("output");
  const address = addressOf(form);
  output.replaceChildren(element("p", "…"));
  const headers = { Accept: "application/geo+json, application/json;q=0.9, */*;q=0.8" };
  for (const input of form.querySelectorAll("[data-in=header]")) if (input.value) headers[input.name] = input.value;
  if (token.value.trim()) headers.Authorization = `Bearer ${token.value.trim()}`;
  const body = form.querySelector("[data-in=body]");
  if (body) headers["Content-Type"] = body.dataset.type;
  const started = performance.now();
  try {
    const response = await fetch(address, { method: form.dataset.method, headers, body: body?.value });
    const type = response.headers.get("Content-Type") ?? "";
    const parts = [
      element("p", `${response.status} ${response.statusText}, ${Math.round(performance.now() - started)} ms`),
      element("pre", [address, ...[...response.headers].map(([name, value]) => `${name}: ${value}`)].join("\n")),
    ];
    if (type.startsWith("image/")) {
      const image = document.createElement("img");
      image.alt = "The map";
      image.src = URL.createObjectURL(await response.blob());
      parts.push(image);
    } else {
      const text = await response.text();
      let shown = text;
      if (/json/.test(type) && text.length < MOST * 10) shown = indented(text);
      parts.push(element("pre", shown.length > MOST ? `${shown.slice(0, MOST)}\n…` : shown));
    }
    output.replaceChildren(...parts);
  } catch (error) {
    output.replaceChildren(element("p", String(error)));
  }
}

for (const form of document.querySelectorAll(".operation form"))
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
