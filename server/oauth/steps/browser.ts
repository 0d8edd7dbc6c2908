/** The steps that all endpoints for browsers share. */
import { readText } from "../../kernel/http/body.ts";
import { oauthError } from "../errors.ts";
import type { Parameters, Step } from "../context.ts";
import { databasePage } from "../pages/database.ts";
import { textsOf } from "../pages/texts.ts";
import { readSession, isOwnForm } from "../sessions.ts";
import { databaseOfResource } from "./chooseDatabase.ts";
import { databaseOfRequest } from "./pushedRequest.ts";
import { FORM, fromForm, isOf, MAX_BODY_BYTES } from "./readBody.ts";

/** Parameters of the query, each given once (RFC 6749 §3.1). */
export const readQuery: Step = (context) => {
  const { search } = new URL(context.request.url ?? "", "http://localhost");
  context.parameters = fromForm(search.slice(1));
};

/** Reads the form that a person sent from one of our pages. */
export const readForm: Step = async (context) => {
  const { request } = context;
  if (request.method !== "POST") return;
  if (!isOf(request, FORM)) throw oauthError("invalid_request", "This is not a form of this service");
  context.form = fromForm(await readText(request, MAX_BODY_BYTES));
};

/** The database of the query; with several and none named, the page asks. */
export const chooseDatabase: Step = async (context) => {
  const { kernel, parameters } = context;
  const name =
    parameters["database"] ?? databaseOfRequest(parameters) ?? databaseOfResource(kernel.baseUrl, parameters);
  const database = await kernel.directory.find(name);
  if (database) context.database = database;
  else if (name === undefined) databasePage(context);
  else throw oauthError("invalid_request", "There is no such database");
};

/** A person returns only to a path of this service: no link to us leads elsewhere (RFC 9700 §4.11). */
export const checkReturn: Step = (context) => {
  const { return_to: path } = context.parameters;
  if (path === undefined) return;
  const { baseUrl } = context.kernel;
  const url = URL.canParse(path, baseUrl) ? new URL(path, baseUrl) : undefined;
  if (!/^\/(?![/\\])/.test(path) || url?.origin !== new URL(baseUrl).origin)
    throw oauthError("invalid_request", "'return_to' is not a path of this service");
  context.returnTo = url.pathname + url.search;
};

/** Finds the account that is signed in in this browser. */
export const findSession: Step = async (context) => {
  context.session = await readSession(context);
  context.account = context.session?.account;
};

/** A form from elsewhere, or of another browser, has no effect: the page is shown again. */
export const checkForm: Step = (context) => {
  if (context.request.method !== "POST" || isOwnForm(context, context.form["form_token"])) return;
  context.notice = { status: 403, text: textsOf(context).formOutdated };
  context.form = only(context.form, "user_code");
};

function only(parameters: Parameters, name: string): Parameters {
  return parameters[name] === undefined ? {} : { [name]: parameters[name] };
}
