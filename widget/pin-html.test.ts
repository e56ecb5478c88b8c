import { expect, it } from "vitest";
import { integrityOf, pinHtml } from "./pin-html.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

it("every script, style sheet and preload of a page is pinned; icons and metadata are left", () => {
  const html = [
    '<link rel="icon" href="/i.svg" />',
    '<script type="module" crossorigin src="/a.js"></script>',
    '<link rel="modulepreload" crossorigin href="/b.js">',
    '<link rel="stylesheet" crossorigin href="/c.css">',
  ];
  const pinned = pinHtml(html.join("\n"), bytes).split("\n");
  expect(pinned[0]).toBe(html[0]);
  expect(pinned[1]).toBe(
    `<script type="module" crossorigin src="/a.js" integrity="${integrityOf(bytes("/a.js"))}"></script>`,
  );
  expect(pinned[2]).toContain(`href="/b.js" integrity="${integrityOf(bytes("/b.js"))}">`);
  expect(pinned[3]).toContain(`href="/c.css" integrity="${integrityOf(bytes("/c.css"))}">`);
});

it("a script that the page does not name is in an import map, before any script", () => {
  const html = '<meta name="a" />\n<script type="module" src="/a.js"></script>';
  const integrity = { "/later.js": integrityOf(bytes("/later.js")) };
  const [, map, script] = pinHtml(html, bytes, ["/later.js"]).split("\n");
  expect(map).toBe(`<script type="importmap">${JSON.stringify({ integrity })}</script>`);
  expect(script?.trim()).toContain('<script type="module" src="/a.js" integrity=');
});

it("the value is the one that browsers compute", () => {
  expect(integrityOf(bytes("alert('Hello, world.');"))).toBe(
    "sha384-H8BRh8j48O9oYatfu5AZzq6A9RINhZO5H16dQZngK7T62em8MUt1FLm52t+eX6xO",
  );
});
