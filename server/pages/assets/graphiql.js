// The editor of /graphiql/{schema}: Ruru, with the token of the field above it in every request.
const root = document.getElementById("ruru-root");
const staticUrl = new URL(root.dataset.static, document.baseURI).href;
const endpoint = new URL(root.dataset.endpoint, document.baseURI).href;

globalThis.MonacoEnvironment = {
  getWorker(_workerId, label) {
    const files = { json: "jsonWorker.js", graphql: "graphqlWorker.js" };
    return new Worker(new URL(files[label] ?? "editorWorker.js", staticUrl), { type: "module" });
  },
};

const field = document.getElementById("token");
const state = document.getElementById("token-state");
async function fetcher({ query, variables, operationName }) {
  const token = field.value.trim();
  const response = await fetch(endpoint, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json",
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, variables, operationName }),
  });
  const body = await response.json();
  state.textContent = response.status === 401 ? (token ? "not accepted" : "needed") : "";
  return "data" in body || "errors" in body ? body : { errors: [{ message: body.detail ?? response.statusText }] };
}

let draw;
const bar = document.getElementById("token-bar");
bar.addEventListener("submit", (event) => {
  event.preventDefault();
  draw?.();
});

// by then the second script has filled the field, where somebody is signed in
const [{ React, createRoot, Ruru }] = await Promise.all([import(`${staticUrl}ruru.js`), import("./signIn.js")]);
const editor = createRoot(root);
let generation = 0;

// a new token makes a new editor, which loads the schema again as the new account
draw = () =>
  editor.render(
    React.createElement(Ruru, { key: generation++, fetcher, endpoint, defaultQuery: root.dataset.query ?? "" }),
  );
bar.querySelector("[type=submit]").disabled = false;
draw();
