import assert from "node:assert/strict";
import { getIntrospectionQuery, buildSchema } from "graphql";
import { Documents, chooseOperation } from "../../server/graphql/documents.ts";
import { GatewayError } from "../../server/ground/errors.ts";

const schema = buildSchema(`
  type Query { a(where: JSON): A  list: [A] }
  type A { a: A  name: String }
  scalar JSON
`);
const limits = { maxDocumentBytes: 1000, maxDepth: 4, maxAliases: 3, maxTokens: 60, introspection: true };

function code(text: string, options: Partial<typeof limits> = {}): string {
  const { errors } = new Documents(schema, { ...limits, ...options }).read(text);
  const [error] = errors ?? [];
  return error instanceof GatewayError ? error.code : (error?.message ?? "fine");
}

describe("graphql: limits of a document", () => {
  it("counts levels, through fragments too", () => {
    assert.equal(code("{ a { a { a { name } } } }"), "fine");
    assert.equal(code("{ a { a { a { a { name } } } } }"), "LIMIT_EXCEEDED");
    assert.equal(code("{ a { a { ...f } } } fragment f on A { a { a { name } } }"), "LIMIT_EXCEEDED");
    assert.equal(code("{ a { ... on A { a { ... on A { a { name } } } } } }"), "fine");
  });

  it("counts aliases over the whole document", () => {
    assert.equal(code("{ x: a { y: name z: name } }"), "fine");
    assert.equal(code("{ x: a { y: name z: name } w: a { name } }"), "LIMIT_EXCEEDED");
    assert.equal(code("{ a { ...f } } fragment f on A { x: name y: name z: name w: name }"), "LIMIT_EXCEEDED");
  });

  it("counts tokens and bytes", () => {
    assert.equal(code(`{ a { ${"name ".repeat(100)} } }`), "LIMIT_EXCEEDED");
    assert.equal(code(`{ a { name } } # ${"x".repeat(1000)}`), "LIMIT_EXCEEDED");
  });

  it("lets the standard introspection query pass, and nothing much deeper", () => {
    const wide = { maxTokens: 1000, maxDocumentBytes: 100_000 };
    assert.equal(code(getIntrospectionQuery(), wide), "fine");
    const deep = `{ __schema { types { fields { type ${"{ ofType ".repeat(18)} { name } ${"}".repeat(18)} } } } }`;
    assert.equal(code(deep, wide), "LIMIT_EXCEEDED");
  });

  it("refuses introspection if it is switched off", () => {
    assert.match(code("{ __schema { types { name } } }", { introspection: false }), /introspection/i);
    assert.equal(code("{ a { __typename } }", { introspection: false }), "fine");
  });

  it("survives a fragment that contains itself", () => {
    assert.match(code("{ a { ...f } } fragment f on A { a { ...f } }"), /within itself/);
  });

  it("gives the same document for the same text, so that its plan is found again", () => {
    const documents = new Documents(schema, limits);
    assert.equal(documents.read("{ a { name } }").document, documents.read("{ a { name } }").document);
  });

  it("chooses the operation by its name", () => {
    const { document } = new Documents(schema, limits).read("query one { list { name } } query two { list { name } }");
    assert.equal(chooseOperation(document!, "two").name?.value, "two");
    assert.throws(() => chooseOperation(document!, undefined), /operationName must choose/);
    assert.throws(() => chooseOperation(document!, "three"), /no operation named "three"/);
  });

  it("keeps bare words and long numbers within JSON literals", () => {
    const { document } = new Documents(schema, limits).read(
      "{ a(where: { n: 12345678901234567890, w: [word, 1] }) { name } }",
    );
    assert.match(JSON.stringify(document), /"StringValue","value":"12345678901234567890"/);
    assert.match(JSON.stringify(document), /"StringValue","value":"word"/);
  });
});
