// Passkeys (WebAuthn): the options are in the page, and the answer goes with its form.
const form = document.querySelector("form[data-passkey]");
const button = form?.querySelector("button[data-passkey-start]");

/** base64url → bytes. */
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** Bytes → base64url; undefined stays undefined. */
function textOf(buffer) {
  if (!buffer) return undefined;
  const letters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const withBytes = (list) => (list ?? []).map((one) => ({ ...one, id: bytesOf(one.id) }));

function optionsOf() {
  const options = JSON.parse(form.dataset.options);
  return {
    ...options,
    challenge: bytesOf(options.challenge),
    ...(options.user && { user: { ...options.user, id: bytesOf(options.user.id) } }),
    ...(options.excludeCredentials && { excludeCredentials: withBytes(options.excludeCredentials) }),
    ...(options.allowCredentials && { allowCredentials: withBytes(options.allowCredentials) }),
  };
}

function send({ id, rawId, type, authenticatorAttachment, response, getClientExtensionResults }, credential) {
  form.elements.namedItem("passkey").value = JSON.stringify({
    id,
    rawId: textOf(rawId),
    type,
    authenticatorAttachment,
    clientExtensionResults: getClientExtensionResults.call(credential),
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      userHandle: textOf(response.userHandle),
      transports: response.getTransports?.(),
    },
  });
  form.submit();
}

let waiting;

async function ask(more = {}) {
  waiting?.abort();
  const { signal } = (waiting = new AbortController());
  const way = form.dataset.passkey === "create" ? "create" : "get";
  try {
    const credential = await navigator.credentials[way]({ publicKey: optionsOf(), signal, ...more });
    if (credential) send(credential, credential);
  } catch (error) {
    if (error.name === "AbortError" || more.mediation) return;
    const problem = form.querySelector("[data-passkey-problem]");
    problem.hidden = false;
    problem.focus();
  }
}

if (button && window.PublicKeyCredential) {
  form.hidden = false;
  button.addEventListener("click", (event) => {
    event.preventDefault();
    if (!form.reportValidity()) return;
    ask();
  });
  // the browser offers passkeys in the field of the user name
  if (form.dataset.passkey === "autofill" && (await PublicKeyCredential.isConditionalMediationAvailable?.()))
    ask({ mediation: "conditional" });
}
