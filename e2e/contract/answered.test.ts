import { describe, expect, it } from "vitest";
import { bodyOf } from "./answered.ts";

const answer = (body: string | null, status = 200, type = "application/json") =>
  new Response(body, { status, headers: type ? { "content-type": type } : {} });

describe("the contract suite accepts what a BFF accepts", () => {
  it.each<[string, Response, unknown]>([
    ["a body", answer('{"a":1}'), { a: 1 }],
    ["a body of a kind of JSON", answer('{"a":1}', 201, "application/vnd.x+json; charset=utf-8"), { a: 1 }],
    ["one that names no error", answer('{"error":null,"errors":[],"ok":true}'), expect.anything()],
    ["an empty 200", answer(""), undefined],
    ["204", answer(null, 204), undefined],
  ])("%s", async (_, response, body) => {
    expect(await bodyOf("turns", response)).toEqual(body);
  });

  it.each<[string, Response, RegExp]>([
    ["202", answer("{}", 202), /^turns answered 202\.$/],
    ["404", answer("{}", 404), /^turns answered 404\.$/],
    ["a page", answer("<p>", 200, "text/html"), /as text\/html/],
    ["a body of no type", new Response(Buffer.from("{}")), /as nothing/],
    ["a problem document", answer("{}", 200, "application/problem+json"), /as application\/problem/],
    ["an error", answer('{"error":{"message":"no"}}'), /with "error"/],
    ["errors", answer('{"errors":["no"]}'), /with "errors"/],
    ["not ok", answer('{"ok":false}'), /with "ok": false/],
    ["no success", answer('{"success":false}'), /with "success": false/],
  ])("%s is reported in a sentence", async (_, response, sentence) => {
    await expect(bodyOf("turns", response)).rejects.toThrow(sentence);
  });
});
