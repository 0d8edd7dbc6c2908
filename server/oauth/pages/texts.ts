/** The words of this door's pages, in each of their languages. */
import Negotiator from "negotiator";
import type { OAuthContext } from "../context.ts";

const EN = {
  goOn: "Go on",
  tooLong: "That took too long. Please begin again.",
  otherAccount: "Use another account",
  formOutdated: "The form was out of date. Please try again.",
  tryAgain: (seconds: number) =>
    `Too many attempts failed. Try again in ${seconds < 90 ? `${seconds} second${seconds === 1 ? "" : "s"}` : `${Math.ceil(seconds / 60)} minutes`}.`,
  errorTitle: "This does not work",
  goingBack: "Going back",
  signIn: {
    title: "Sign in",
    toContinue: "to continue to",
    userName: "User name",
    password: "Password",
    submit: "Sign in",
    forgotten: "Forgotten your password?",
    nameMissing: "Your user name is missing.",
    passwordMissing: "Your password is missing.",
    wrong: "The user name or the password is not right.",
  },
  choose: {
    title: "Choose an account",
    goOnAs: (name: string) => `Go on as ${name}`,
  },
  consent: {
    title: (client: string) => `Allow ${client}?`,
    asksTo: "asks to",
    withAllRights: "act for you with all rights of your account.",
    asAgent: "read for you, as an agent, what your account may read in the database",
    signedInAs: "Signed in as",
    codeOnDevice: "Code on the device",
    asksFor: "It asks for",
    reachedAt: "It is reached at",
    itsPage: "Its page",
    onlyIf: "Allow it only if you have the device before you and it shows this code.",
    allow: "Allow",
    deny: "Deny",
    notYou: (name: string) => `Not ${name}? Sign in as someone else`,
    scopes: {
      "mcp:write": "Change data: insert, update and delete rows",
      openid: "Know that it is you",
      profile: "Read your name and the other members of your profile",
      email: "Read your mail address",
      groups: "Read which groups you are in",
      offline_access: "Stay connected after you sign out",
    },
  },
  database: { title: "Which database?", label: "Database" },
  device: {
    title: "Connect a device",
    code: "Code",
    hint: "The device that you want to connect shows it, like BCDF-GHJK.",
    wrong: "This code is not right, or it has expired.",
    tooLate: "Too late",
    tooLateText: "The code has been used or has expired.",
    connected: "The device is connected",
    connectedText: (client: string, account: string) =>
      `${client} may act for ${account} now. You can close this page.`,
    notConnected: "The device is not connected",
    notConnectedText: (client: string) => `${client} got nothing. You can close this page.`,
  },
  forgotten: {
    title: "Forgotten your password?",
    text: "We send you a link with which you choose a new one.",
    label: "User name or e-mail address",
    submit: "Send the link",
    missing: "Your user name or e-mail address is missing.",
    noMail: "No mail from here",
    noMailText: "This service sends no mail. Ask its administrator for a link.",
    sent: "Look into your mailbox",
    sentText: "If there is such an account and it has a mail address, a link is on its way. It is valid for an hour.",
  },
  password: {
    title: "Choose a password",
    forAccount: "for the account",
    label: "New password",
    hint: (least: number) => `At least ${least} characters.`,
    again: "The same again",
    submit: "Set password",
    tooShort: (least: number) => `It needs at least ${least} characters.`,
    tooLong: (most: number) => `It must not be longer than ${most} bytes.`,
    differs: "This is not the same as above.",
    done: "Your password is set",
    doneText: (name: string) => `Sign in as ${name} where you came from. You can close this page.`,
  },
  signOut: {
    title: "Sign out?",
    anApplication: "An application",
    asks: (account: string) => `asks to sign out ${account}.`,
    submit: "Sign out",
    stay: "To stay signed in, close this page.",
    done: "You are signed out",
    doneText: "You can close this page.",
  },
  verify: {
    title: "Is this your address?",
    isOf: "is the address of the account",
    submit: "Yes, it is mine",
    done: "Your address is verified",
    doneText: (name: string) => `It belongs to ${name}. You can close this page.`,
  },
  factor: {
    title: "Second step",
    forAccount: "to sign in as",
    code: "Code",
    hint: "Six digits from your authenticator app, or one of your recovery codes.",
    wrong: "This code is not right, or it has been used before.",
    submit: "Sign in",
  },
  enrol: {
    title: "Add an authenticator",
    why: "Your account must have a second factor. Add one now.",
    scan: "Scan this picture with an authenticator app on your phone, or type the key into it.",
    picture: "The key as a picture for the camera of your phone",
    key: "Key",
    open: "Open in an app on this device",
    code: "Code",
    hint: "The six digits that the app shows now.",
    wrong: "This code is not right. Does the clock of your device show the right time?",
    submit: "Add it",
  },
  recovery: {
    title: "Your recovery codes",
    text: "Keep these codes where you find them without your phone. Each lets you sign in once in place of the second factor. They are shown only now.",
    done: "I have kept them",
  },
  account: {
    title: "Your account",
    signedInAs: "Signed in as",
    factors: "Second step of your sign-in",
    noFactor: "You have none: your password alone signs you in.",
    recoveryLeft: (left: number) => `Recovery codes that are left: ${left}.`,
    added: (when: string) => `added ${when}`,
    used: (when: string) => `last used ${when}`,
    addTotp: "Add an authenticator app",
    replaceTotp: "Use another authenticator app",
    newCodes: "New recovery codes",
    remove: "Remove",
    must: "Your account must have a second factor: add another one before you remove this one.",
    confirm: "Please sign in again before you change this.",
    passwordOnly: "Second factors are not offered here.",
  },
};

export type Texts = typeof EN;

const DE: Texts = {
  goOn: "Weiter",
  tooLong: "Das hat zu lange gedauert. Bitte beginnen Sie noch einmal.",
  otherAccount: "Anderes Konto verwenden",
  formOutdated: "Das Formular war veraltet. Bitte versuchen Sie es noch einmal.",
  tryAgain: (seconds: number) =>
    `Zu viele Versuche sind gescheitert. Versuchen Sie es in ${seconds < 90 ? `${seconds} Sekunde${seconds === 1 ? "" : "n"}` : `${Math.ceil(seconds / 60)} Minuten`} wieder.`,
  errorTitle: "Das geht nicht",
  goingBack: "Zurück zur Anwendung",
  signIn: {
    title: "Anmelden",
    toContinue: "um fortzufahren zu",
    userName: "Benutzername",
    password: "Passwort",
    submit: "Anmelden",
    forgotten: "Passwort vergessen?",
    nameMissing: "Ihr Benutzername fehlt.",
    passwordMissing: "Ihr Passwort fehlt.",
    wrong: "Der Benutzername oder das Passwort ist nicht richtig.",
  },
  choose: {
    title: "Konto wählen",
    goOnAs: (name: string) => `Als ${name} fortfahren`,
  },
  consent: {
    title: (client: string) => `${client} zulassen?`,
    asksTo: "möchte",
    withAllRights: "mit allen Rechten Ihres Kontos für Sie handeln.",
    asAgent: "für Sie als Agent lesen, was Ihr Konto lesen darf, in der Datenbank",
    signedInAs: "Angemeldet als",
    codeOnDevice: "Code auf dem Gerät",
    asksFor: "Gewünscht wird",
    reachedAt: "Erreichbar unter",
    itsPage: "Webseite",
    onlyIf: "Lassen Sie es nur zu, wenn das Gerät vor Ihnen steht und diesen Code zeigt.",
    allow: "Zulassen",
    deny: "Ablehnen",
    notYou: (name: string) => `Nicht ${name}? Als jemand anderes anmelden`,
    scopes: {
      "mcp:write": "Daten ändern: Zeilen einfügen, ändern und löschen",
      openid: "Wissen, dass Sie es sind",
      profile: "Ihren Namen und die anderen Angaben Ihres Profils lesen",
      email: "Ihre E-Mail-Adresse lesen",
      groups: "Lesen, in welchen Gruppen Sie sind",
      offline_access: "Verbunden bleiben, nachdem Sie sich abgemeldet haben",
    },
  },
  database: { title: "Welche Datenbank?", label: "Datenbank" },
  device: {
    title: "Gerät verbinden",
    code: "Code",
    hint: "Das Gerät, das Sie verbinden möchten, zeigt ihn an, etwa BCDF-GHJK.",
    wrong: "Dieser Code ist nicht richtig oder abgelaufen.",
    tooLate: "Zu spät",
    tooLateText: "Der Code wurde schon verwendet oder ist abgelaufen.",
    connected: "Das Gerät ist verbunden",
    connectedText: (client: string, account: string) =>
      `${client} darf jetzt für ${account} handeln. Sie können diese Seite schließen.`,
    notConnected: "Das Gerät ist nicht verbunden",
    notConnectedText: (client: string) => `${client} hat nichts bekommen. Sie können diese Seite schließen.`,
  },
  forgotten: {
    title: "Passwort vergessen?",
    text: "Wir senden Ihnen einen Link, mit dem Sie ein neues wählen.",
    label: "Benutzername oder E-Mail-Adresse",
    submit: "Link senden",
    missing: "Ihr Benutzername oder Ihre E-Mail-Adresse fehlt.",
    noMail: "Keine E-Mail von hier",
    noMailText: "Dieser Dienst sendet keine E-Mail. Bitten Sie die Verwaltung um einen Link.",
    sent: "Sehen Sie in Ihr Postfach",
    sentText: "Wenn es ein solches Konto mit einer E-Mail-Adresse gibt, ist ein Link unterwegs. Er gilt eine Stunde.",
  },
  password: {
    title: "Passwort wählen",
    forAccount: "für das Konto",
    label: "Neues Passwort",
    hint: (least: number) => `Mindestens ${least} Zeichen.`,
    again: "Noch einmal dasselbe",
    submit: "Passwort setzen",
    tooShort: (least: number) => `Es braucht mindestens ${least} Zeichen.`,
    tooLong: (most: number) => `Es darf nicht länger als ${most} Bytes sein.`,
    differs: "Das ist nicht dasselbe wie oben.",
    done: "Ihr Passwort ist gesetzt",
    doneText: (name: string) =>
      `Melden Sie sich als ${name} dort an, wo Sie hergekommen sind. Sie können diese Seite schließen.`,
  },
  signOut: {
    title: "Abmelden?",
    anApplication: "Eine Anwendung",
    asks: (account: string) => `möchte ${account} abmelden.`,
    submit: "Abmelden",
    stay: "Um angemeldet zu bleiben, schließen Sie diese Seite.",
    done: "Sie sind abgemeldet",
    doneText: "Sie können diese Seite schließen.",
  },
  verify: {
    title: "Ist das Ihre Adresse?",
    isOf: "ist die Adresse des Kontos",
    submit: "Ja, sie gehört mir",
    done: "Ihre Adresse ist bestätigt",
    doneText: (name: string) => `Sie gehört zu ${name}. Sie können diese Seite schließen.`,
  },
  factor: {
    title: "Zweiter Schritt",
    forAccount: "um sich anzumelden als",
    code: "Code",
    hint: "Sechs Ziffern aus Ihrer Authenticator-App oder einer Ihrer Ersatzcodes.",
    wrong: "Dieser Code ist nicht richtig oder wurde schon verwendet.",
    submit: "Anmelden",
  },
  enrol: {
    title: "Authenticator hinzufügen",
    why: "Ihr Konto braucht einen zweiten Faktor. Fügen Sie jetzt einen hinzu.",
    scan: "Scannen Sie dieses Bild mit einer Authenticator-App auf Ihrem Telefon oder geben Sie dort den Schlüssel ein.",
    picture: "Der Schlüssel als Bild für die Kamera Ihres Telefons",
    key: "Schlüssel",
    open: "In einer App auf diesem Gerät öffnen",
    code: "Code",
    hint: "Die sechs Ziffern, die die App jetzt anzeigt.",
    wrong: "Dieser Code ist nicht richtig. Geht die Uhr Ihres Geräts richtig?",
    submit: "Hinzufügen",
  },
  recovery: {
    title: "Ihre Ersatzcodes",
    text: "Bewahren Sie diese Codes so auf, dass Sie sie ohne Ihr Telefon finden. Mit jedem können Sie sich einmal statt mit dem zweiten Faktor anmelden. Sie werden nur jetzt angezeigt.",
    done: "Ich habe sie aufbewahrt",
  },
  account: {
    title: "Ihr Konto",
    signedInAs: "Angemeldet als",
    factors: "Zweiter Schritt Ihrer Anmeldung",
    noFactor: "Sie haben keinen: Ihr Passwort allein meldet Sie an.",
    recoveryLeft: (left: number) => `Ersatzcodes, die übrig sind: ${left}.`,
    added: (when: string) => `hinzugefügt ${when}`,
    used: (when: string) => `zuletzt verwendet ${when}`,
    addTotp: "Authenticator-App hinzufügen",
    replaceTotp: "Andere Authenticator-App verwenden",
    newCodes: "Neue Ersatzcodes",
    remove: "Entfernen",
    must: "Ihr Konto braucht einen zweiten Faktor: Fügen Sie einen anderen hinzu, bevor Sie diesen entfernen.",
    confirm: "Bitte melden Sie sich noch einmal an, bevor Sie das ändern.",
    passwordOnly: "Zweite Faktoren werden hier nicht angeboten.",
  },
};

const LANGUAGES = { en: EN, de: DE } as const;
export type Language = keyof typeof LANGUAGES;

/** By `ui_locales` (OpenID Connect Core §3.1.2.1), else `Accept-Language`; English for readers of other languages. */
export function languageOf({ parameters, request }: Pick<OAuthContext, "parameters" | "request">): Language {
  const wanted = parameters["ui_locales"]?.split(" ") ?? [];
  const named = wanted.map((tag) => tag.split("-")[0]?.toLowerCase()).find((tag) => tag === "en" || tag === "de");
  return (named ?? new Negotiator(request).language(Object.keys(LANGUAGES)) ?? "en") as Language;
}

/** The words in the language of the person. */
export function textsOf(context: Pick<OAuthContext, "parameters" | "request">): Texts {
  return LANGUAGES[languageOf(context)];
}

/** An instant as pages say it, to the minute. */
export function instantText(instant: Date): string {
  return `${instant.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
