// The forms that choose features: a field that is empty asks for nothing, and is not sent.
"use strict";
for (const form of document.querySelectorAll("form.choice")) {
  form.hidden = false;
  const fields = [...form.elements].filter(({ name }) => name);
  form.addEventListener("submit", () => {
    for (const field of fields) field.disabled = field.value === "";
  });
  // the way back shows the page as it was left
  addEventListener("pageshow", () => {
    for (const field of fields) field.disabled = false;
  });
}
