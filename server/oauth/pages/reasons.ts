/** Why a request was refused, on the pages of a person who reads German. Clients get every reason in English (RFC 6749 §5.2). */
import type { Language } from "./texts.ts";

/** German reasons by the English text. `{1}`, `{2}` stand for a part of the request, or for another reason. */
const DE: Readonly<Record<string, string>> = {
  // parameters and forms
  "The parameter '{1}' is missing": "Der Parameter „{1}“ fehlt",
  "The parameter '{1}' is given twice": "Der Parameter „{1}“ ist zweimal angegeben",
  "A parameter is given twice": "Ein Parameter ist zweimal angegeben",
  "The parameter '{1}' has a NUL in it": "Der Parameter „{1}“ enthält ein Nullzeichen",
  "The parameter '{1}' must be a string": "Der Parameter „{1}“ muss ein Text sein",
  "The parameter '{1}' is not supported": "Der Parameter „{1}“ wird nicht unterstützt",
  "'{1}' must be in the query": "„{1}“ gehört in die Adresse",
  "The request is over {1} bytes": "Die Anfrage hat mehr als {1} Bytes",
  "This is not a form of this service": "Das ist kein Formular dieses Dienstes",
  "The body must be {1} or {2}": "Der Inhalt muss {1} oder {2} sein",
  "The body must be a JSON object": "Der Inhalt muss ein JSON-Objekt sein",
  "The body is not valid JSON": "Der Inhalt ist kein gültiges JSON",
  "The request body is over {1} bytes": "Der Inhalt der Anfrage hat mehr als {1} Bytes",
  "The request body is not {1}": "Der Inhalt der Anfrage ist nicht {1}",
  "The content encoding {1} is not supported": "Die Kodierung {1} des Inhalts wird nicht unterstützt",
  "There is more than one Host header": "Es gibt mehr als eine Kopfzeile Host",
  // where it leads
  "There is no such database": "Eine solche Datenbank gibt es nicht",
  "There is no such client": "Eine solche Anwendung gibt es nicht",
  "The client is disabled": "Die Anwendung ist gesperrt",
  "'return_to' is not a path of this service": "„return_to“ ist kein Pfad dieses Dienstes",
  "'issuer' is not an issuer of this database": "„issuer“ ist kein Aussteller dieser Datenbank",
  "'redirect_uri' is not registered for the client": "„redirect_uri“ ist für die Anwendung nicht registriert",
  "No sign-in at another provider is waiting in this browser":
    "In diesem Browser wartet keine Anmeldung bei einem anderen Anbieter",
  // the request of a client
  "The client may not use the authorization code flow": "Die Anwendung darf niemanden auf diese Weise anmelden",
  "'response_type' must be 'code'": "„response_type“ muss „code“ sein",
  "'response_mode' must be 'query' or 'form_post'": "„response_mode“ muss „query“ oder „form_post“ sein",
  "'code_challenge_method' must be 'S256'": "„code_challenge_method“ muss „S256“ sein",
  "'{1}' must be 43 letters of base64url": "„{1}“ muss aus 43 Zeichen von base64url bestehen",
  "'scope' must be words separated by single spaces":
    "„scope“ muss aus Wörtern mit je einem Leerzeichen dazwischen bestehen",
  "'scope' goes beyond what was granted": "„scope“ geht über das hinaus, was erlaubt wurde",
  "'resource' must be {1}, or {2} and the name of the database":
    "„resource“ muss {1} sein oder {2} mit dem Namen der Datenbank",
  "'resource' is not the one that was granted": "„resource“ ist nicht, was erlaubt wurde",
  "'prompt' must be none, or some of login, consent and select_account":
    "„prompt“ ist none oder eine Auswahl aus login, consent und select_account",
  "'max_age' must be a number of seconds": "„max_age“ ist eine Anzahl von Sekunden",
  "'claims' must be a JSON object with the objects id_token and userinfo":
    "„claims“ ist ein JSON-Objekt mit den Objekten id_token und userinfo",
  "'request_uri' is not known, has expired or was used; go back and try again":
    "„request_uri“ ist nicht bekannt, abgelaufen oder schon verwendet; gehen Sie zurück und versuchen Sie es noch einmal",
  "'request_uri' was used before": "„request_uri“ wurde schon verwendet",
  "The client must push its request first, and send 'request_uri'":
    "Die Anwendung muss ihre Anfrage zuerst selbst senden und „request_uri“ verwenden",
  "'id_token_hint' is not an ID token of this service": "„id_token_hint“ ist kein ID-Token dieses Dienstes",
  "'id_token_hint' was given to another client": "„id_token_hint“ gehört einer anderen Anwendung",
  "Nobody is signed in in this browser, or the sign-in does not meet the request":
    "In diesem Browser ist niemand angemeldet, oder nicht so wie verlangt",
  "The account has refused the request": "Das Konto lässt es nicht zu",
  "The account has not allowed the request yet": "Das Konto hat es noch nicht zugelassen",
  "The account has not signed in with a second factor": "Das Konto ist nicht mit einem zweiten Faktor angemeldet",
  "The client requires another account": "Die Anwendung verlangt ein anderes Konto",
  "The account cannot sign in with any of the classes that 'claims' requires":
    "Das Konto kann sich in keiner der Klassen anmelden, die 'claims' verlangt",
  // signing out
  "You are still signed in; {1}": "Sie sind noch angemeldet. {1}",
  "only a page that you open yourself signs you out": "Abmelden kann Sie nur eine Seite, die Sie selbst öffnen",
  "'id_token_hint' was given to another client than 'client_id'":
    "„id_token_hint“ gehört einer anderen Anwendung als „client_id“",
  "'post_logout_redirect_uri' needs 'id_token_hint' or 'client_id', which name its client":
    "„post_logout_redirect_uri“ braucht „id_token_hint“ oder „client_id“, die ihre Anwendung nennen",
  "'post_logout_redirect_uri' is not registered for the client":
    "„post_logout_redirect_uri“ ist für die Anwendung nicht registriert",
  "You are signed out; 'redirect_uri' is not registered for a client":
    "Sie sind abgemeldet. „redirect_uri“ ist für keine Anwendung registriert",
  // clients that describe themselves
  "The client has no document. {1}": "Die Anwendung hat keine Beschreibung. {1}",
  "{1} answers {2}": "{1} antwortet mit {2}",
  "{1} is not a JSON document": "{1} ist kein JSON-Dokument",
  "It is not a JSON object": "Sie ist kein JSON-Objekt",
  "{1} says that it is the document of another client": "{1} nennt sich die Beschreibung einer anderen Anwendung",
  "{1} has a secret in it": "{1} enthält ein Geheimnis",
  "{1} asks for authentication by a secret": "{1} verlangt die Anmeldung mit einem Geheimnis",
  "{1} is not an address": "{1} ist keine Adresse",
  "{1} is not an https address": "{1} ist keine Adresse mit https",
  "{1} is not at a public address": "{1} liegt nicht an einer öffentlichen Adresse",
  "{1} does not answer": "{1} antwortet nicht",
  "{1} has more than {2} bytes": "{1} hat mehr als {2} Bytes",
  "The host is not known": "Der Rechner ist nicht bekannt",
  "The answer has not come within {1} s": "Die Antwort ist nicht in {1} s gekommen",
  "The metadata of a client must be a JSON object": "Die Beschreibung einer Anwendung ist ein JSON-Objekt",
  "The only response type is 'code'": "Der einzige „response_type“ ist „code“",
  "A client has 'jwks' or 'jwks_uri', not both": "Eine Anwendung hat „jwks“ oder „jwks_uri“, nicht beides",
  "The grant 'authorization_code' needs 'redirect_uris'": "„authorization_code“ braucht „redirect_uris“",
  "A client that registers itself may have {1}": "Eine Anwendung, die sich selbst registriert, darf {1} haben",
  "The document of 'sector_identifier_uri' does not list 'redirect_uris'":
    "Das Dokument von „sector_identifier_uri“ nennt „redirect_uris“ nicht",
  "'sector_identifier_uri' has no JSON array of addresses":
    "Unter „sector_identifier_uri“ steht keine Liste von Adressen",
  // the service
  "The request cannot be understood": "Die Anfrage ist nicht zu verstehen",
  "Nothing is here": "Hier ist nichts",
  "The method is not allowed here": "Diese Methode ist hier nicht erlaubt",
  "The account may not do this": "Das Konto darf das nicht",
  "A valid access token is needed": "Ein gültiges Zugriffstoken ist nötig",
  "The request did not arrive in time": "Die Anfrage kam nicht rechtzeitig an",
  "The request body is too large": "Der Inhalt der Anfrage ist zu groß",
  "Too many requests": "Zu viele Anfragen",
  "Too many attempts; try again later": "Zu viele Versuche; versuchen Sie es später wieder",
  "The service is not available at the moment": "Der Dienst ist gerade nicht verfügbar",
  "The statement took too long and was cancelled": "Die Abfrage dauerte zu lange und wurde abgebrochen",
  "The request conflicts with the present data": "Die Anfrage steht im Widerspruch zu dem, was da ist",
  "An internal error occurred": "Ein interner Fehler ist aufgetreten",
  "An internal error occurred ({1})": "Ein interner Fehler ist aufgetreten ({1})",
};

/** Reasons with parts of the request. The longest is first, because it is the most specific. */
const PATTERNS = Object.entries(DE)
  .filter(([english]) => english.includes("{1}"))
  .sort(([one], [other]) => other.length - one.length)
  .map(([english, german]) => [patternOf(english), german] as const);

function patternOf(english: string): RegExp {
  const escaped = english.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${escaped.replaceAll(/\{[12]\}/g, "(.+?)")}$`);
}

/** A reason in a language, and the language of the result: English where there is no translation. */
export function reasonIn(language: Language, english: string): { readonly text: string; readonly language: Language } {
  const text = language === "de" ? germanOf(english) : undefined;
  return text === undefined ? { text: english, language: "en" } : { text, language };
}

function germanOf(english: string): string | undefined {
  const exact = Object.hasOwn(DE, english) ? DE[english] : undefined;
  if (exact !== undefined) return exact;
  for (const [pattern, german] of PATTERNS) {
    const [, ...parts] = pattern.exec(english) ?? [];
    if (parts.length > 0)
      return german.replaceAll(/\{([12])\}/g, (_, number: string) => {
        const part = parts[Number(number) - 1] ?? "";
        return germanOf(part) ?? part;
      });
  }
  return undefined;
}
