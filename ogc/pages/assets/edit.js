// The form on a feature's page. It sends the changed values as a merge patch for the version that is shown.
"use strict";
(() => {
  const form = document.getElementById("edit");
  const state = document.getElementById("edit-state");
  const address = location.pathname;

  const send = async (method, body) => {
    state.textContent = "…";
    const { etag } = form.dataset;
    const response = await fetch(address, {
      method,
      headers: {
        ...(etag === "" ? {} : { "If-Match": etag }),
        ...(body && { "Content-Type": "application/merge-patch+json" }),
      },
      ...(body && { body }),
    });
    if (response.ok) return true;
    const { detail } = await response.json().catch(() => ({}));
    state.textContent =
      response.status === 412
        ? "Somebody else has changed this feature: load the page again."
        : (detail ?? `${response.status} ${response.statusText}`);
    return false;
  };
  /** The value as JSON. Numbers keep their digits. An empty field is null where null is allowed. */
  const valueOf = ({ value, dataset }) => {
    if (value === "" && (dataset.kind === "geometry" || dataset.nullable === "true")) return "null";
    if (dataset.kind === "text") return JSON.stringify(value);
    JSON.parse(value);
    return value;
  };
  const object = (members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const patch = [];
    const properties = [];
    try {
      for (const field of form.querySelectorAll("textarea")) {
        if (field.value === field.defaultValue) continue;
        if (field.dataset.kind === "geometry") patch.push(["geometry", valueOf(field)]);
        else properties.push([field.name, valueOf(field)]);
      }
      if (await send("PATCH", object([...patch, ["properties", object(properties)]]))) location.reload();
    } catch (error) {
      state.textContent = error.message;
    }
  });
  document.getElementById("delete")?.addEventListener("click", async () => {
    if (!confirm("Delete this feature?")) return;
    if (await send("DELETE")) location.assign(address.replace(/\/[^/]*$/, ""));
  });
})();
