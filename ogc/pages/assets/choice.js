// The forms that choose features. An empty field is not sent. A fault in a filter is shown beneath it, with its
// position, and the page stays.
"use strict";
for (const form of document.querySelectorAll("form.choice")) {
  form.hidden = false;
  const fields = [...form.elements].filter(({ name }) => name);
  const filter = form.elements.namedItem("filter");
  const trouble = form.querySelector("[role=alert]");

  const refusal = async () => {
    const address = new URL(form.action);
    for (const { name, value } of fields) if (value !== "") address.searchParams.set(name, value);
    address.searchParams.delete("f");
    address.searchParams.set("limit", "1");
    const response = await fetch(address, { headers: { Accept: "application/geo+json" } });
    const { detail, position } = response.status === 400 ? await response.json() : {};
    return position === undefined ? undefined : { detail, position };
  };
  const explain = ({ detail, position }) => {
    const characters = [...filter.value];
    const mark = document.createElement("mark");
    mark.textContent = characters[position - 1] ?? "…";
    const source = document.createElement("code");
    source.append(characters.slice(0, position - 1).join(""), mark, characters.slice(position).join(""));
    trouble.replaceChildren(`${detail}: `, source);
    const start = characters.slice(0, position - 1).join("").length;
    filter.setAttribute("aria-invalid", "true");
    filter.focus();
    filter.setSelectionRange(start, start + mark.textContent.length);
  };
  const leave = () => {
    for (const field of fields) field.disabled = field.value === "";
  };
  form.addEventListener("submit", async (event) => {
    if (!filter?.value) return leave();
    event.preventDefault();
    // any other error is left to the requested page
    const refused = await refusal().catch(() => undefined);
    if (refused) return explain(refused);
    leave();
    form.submit();
  });
  filter?.addEventListener("input", () => {
    filter.removeAttribute("aria-invalid");
    trouble.replaceChildren();
  });
  // going back shows the page as it was left
  addEventListener("pageshow", () => {
    for (const field of fields) field.disabled = false;
  });
}
