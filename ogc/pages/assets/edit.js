// The form of a feature's page: what was changed goes out as a merge patch, for the version that is shown.
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
  /** As JSON, in which numbers keep the digits that they were written with. An empty field is null where there can be one. */
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
