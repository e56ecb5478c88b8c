import { describe, expect, it } from "vitest";
import { examinePage } from "./examine-page.ts";

const CHAT = "https://chat.example.com";
const SITE = "https://www.example.com";
const TAG = `<script async src="${CHAT}/widget.js"></script>`;

function faults(policy: string | undefined, html = TAG, url = `${SITE}/`, status = 200): string[] {
  const facts = { chatOrigins: [CHAT], allowedOrigins: [SITE] };
  return examinePage({ url, status, policy, html }, facts)
    .filter(({ level }) => level === "fault")
    .map(({ sentence }) => sentence);
}
const script = (name: string) =>
  `The page's Content-Security-Policy blocks the chat's script: add ${CHAT} to ${name}.`;
const NONCE =
  "The page's Content-Security-Policy blocks the chat's script: give its tag the nonce of script-src.";
const HASH =
  "The page's Content-Security-Policy blocks the chat's script: pin its tag, and add its hash to script-src.";
const frame = (name: string) =>
  `The page's Content-Security-Policy blocks the chat's frame: add ${CHAT} to ${name}.`;

describe("the doctor at a page", () => {
  it.each<[string | undefined, string[]]>([
    [undefined, []],
    ["default-src *", []],
    ["default-src https:", []],
    [`default-src 'self' ${CHAT}`, []],
    ["default-src *.example.com", []],
    ["default-src https://*.example.com; img-src 'none'", []],
    ["default-src 'self'", [script("default-src"), frame("default-src")]],
    ["default-src 'none'", [script("default-src"), frame("default-src")]],
    [`script-src ${CHAT}; child-src 'self'`, [frame("child-src")]],
    [`default-src ${CHAT}; frame-src https://video.example.org`, [frame("frame-src")]],
    ["script-src-elem 'self'; default-src *", [script("script-src-elem")]],
    ["default-src http://chat.example.com", []],
    ["default-src http:", []],
    ["default-src https://*", []],
    [`default-src ${CHAT}/`, []],
    [`script-src ${CHAT}/widget.js; frame-src HTTPS://CHAT.example.com/frame`, []],
    [`default-src ${CHAT}/v/`, [script("default-src"), frame("default-src")]],
    [`script-src ${CHAT}/widget; frame-src ${CHAT}/Frame`, [script("script-src"), frame("frame-src")]],
    ["default-src *.chat.example.com", [script("default-src"), frame("default-src")]],
    [`default-src *, frame-src 'self'`, [frame("frame-src")]],
  ])("%s", (policy, sentences) => {
    expect(faults(policy)).toEqual(sentences);
  });

  it.each([
    ["https://chat.example.com", "chat.example.com:443", []],
    ["https://chat.example.com", "*.example.com:*", []],
    ["https://chat.example.com:8443", "chat.example.com:8443", []],
    ["https://chat.example.com:8443", "chat.example.com", ["script", "frame"]],
    ["https://chat.example.com:8443", "https://*.example.com", ["script", "frame"]],
    ["https://chat.example.com:8443", "chat.example.com:443", ["script", "frame"]],
  ])("%s, of which a policy names %s", (chatOrigin, source, blocked) => {
    const page = { url: `${SITE}/`, status: 200, policy: `default-src ${source}` };
    const facts = { chatOrigins: [chatOrigin], allowedOrigins: [SITE] };
    const found = examinePage({ ...page, html: TAG.replace(CHAT, chatOrigin) }, facts);
    expect(found.filter(({ level }) => level === "fault").map(({ sentence }) => sentence)).toEqual(
      blocked.map(
        (kind) =>
          `The page's Content-Security-Policy blocks the chat's ${kind}: add ${chatOrigin} to default-src.`,
      ),
    );
  });

  it.each([
    ["http://www.example.com", "https://chat.example.com", "chat.example.com", []],
    ["https://www.example.com", "http://chat.example.com", "chat.example.com", ["script", "frame"]],
    ["https://www.example.com", "http://chat.example.com", "http://chat.example.com", []],
    ["http://www.example.com", "http://chat.example.com", "https://chat.example.com", ["script", "frame"]],
    ["http://www.example.com", "https://www.example.com", "'self'", []],
    ["https://www.example.com", "http://www.example.com", "'self'", ["script", "frame"]],
  ])("the page %s with the chat %s, of which its policy names %s", (site, chatOrigin, source, blocked) => {
    const page = { url: `${site}/`, status: 200, policy: `default-src ${source}` };
    const facts = { chatOrigins: [chatOrigin], allowedOrigins: [site] };
    const found = examinePage({ ...page, html: TAG.replace(CHAT, chatOrigin) }, facts);
    expect(found.filter(({ level }) => level === "fault").map(({ sentence }) => sentence)).toEqual(
      blocked.map((kind) => expect.stringContaining(`blocks the chat's ${kind}`)),
    );
  });

  it("a policy may name the path of a pinned loader", () => {
    const pinned = TAG.replace("/widget.js", "/v/0.1.0-abc/widget.js");
    expect(faults(`script-src ${CHAT}/v/`, pinned)).toEqual([]);
    expect(faults(`script-src ${CHAT}/widget.js`, pinned)).toEqual([script("script-src")]);
  });

  it.each<[string, string, string[]]>([
    ["'nonce-x'", TAG, [NONCE]],
    ["'nonce-x' 'strict-dynamic'", TAG, [NONCE]],
    [`'nonce-x' 'strict-dynamic' ${CHAT}`, TAG, [NONCE]],
    [`'nonce-x' ${CHAT}`, TAG, []],
    ["'nonce-x' 'strict-dynamic'", TAG.replace("async", 'nonce="x"'), []],
    ["'sha384-AbC='", TAG, [script("script-src")]],
    ["'sha384-AbC=' 'strict-dynamic'", TAG, [HASH]],
    ["'sha384-AbC='", TAG.replace("async", 'integrity="sha384-AbC="'), []],
    // Here a script of the page adds the tag.
    ["'nonce-x' 'strict-dynamic'", `<script nonce="x">g.src = "${CHAT}/widget.js"</script>`, []],
  ])("script-src %s and %s", (sources, html, sentences) => {
    expect(faults(`script-src ${sources}`, html)).toEqual(sentences);
  });

  it("a policy in the page itself counts too", () => {
    const meta = `<meta http-equiv="Content-Security-Policy" content="frame-src 'self'">`;
    expect(faults(undefined, meta + TAG)).toEqual([frame("frame-src")]);
  });

  it.each([
    ["sandbox", ["allow-scripts allow-same-origin"]],
    ["sandbox allow-scripts allow-popups", ["allow-same-origin"]],
    ["Sandbox allow-same-origin", ["allow-scripts"]],
    ["default-src *, sandbox allow-scripts", ["allow-same-origin"]],
    ["sandbox ALLOW-scripts allow-same-origin", []],
  ])("%s", (policy, missing) => {
    expect(faults(policy)).toEqual(
      missing.map((flags) => `The page's Content-Security-Policy blocks the panel: add ${flags} to sandbox.`),
    );
  });

  it("sandbox in the page itself is ignored, as by browsers", () => {
    const meta = `<meta http-equiv="Content-Security-Policy" content="sandbox">`;
    expect(faults(undefined, meta + TAG)).toEqual([]);
  });

  it("an origin that is not on the list, and a page without the tag", () => {
    expect(faults(undefined, TAG, "https://shop.example.com/")).toEqual([
      "https://shop.example.com may not show the panel: add exactly this to ALLOWED_ORIGINS.",
    ]);
    expect(faults(undefined, "<p>Hello</p>")).toEqual([`The page has no tag with ${CHAT}/widget.js.`]);
  });

  it("a page whose own scripts may load the chat gets a note about the packages, and its faults", () => {
    const html = '<script type="module" src="/assets/main.js"></script>';
    const facts = { chatOrigins: [CHAT], allowedOrigins: [SITE] };
    const page = { url: `${SITE}/`, status: 200, policy: undefined, html };
    expect(examinePage(page, facts)).toEqual([
      {
        level: "note",
        sentence: `The page's HTML has no tag with ${CHAT}/widget.js. That is right where a script loads the chat, as @parley/js and @parley/react do.`,
      },
    ]);
    expect(faults("default-src 'self'", html)).toEqual([script("default-src"), frame("default-src")]);
  });

  it("accepts the tag of a pinned loader", () => {
    expect(faults(undefined, TAG.replace("/widget.js", "/v/0.1.0-abc/widget.js"))).toEqual([]);
  });

  it.each(["intercom", "chatwoot", "crisp", "zendesk"])("accepts the script in place of %s's", (name) => {
    expect(faults(undefined, TAG.replace("/widget.js", `/compat/${name}.js`))).toEqual([]);
  });

  it.each([
    "https://old.example.com/widget.js",
    "https://old.example.com/compat/crisp.js",
    "http://localhost:3000/v/0.1.0-abc/widget.js",
  ])("names a tag from another chat: %s", (src) => {
    expect(faults(undefined, `<script async src=${src}></script>`)).toEqual([
      `The page has no tag with ${CHAT}/widget.js, but one with ${src}.`,
    ]);
  });

  it.each([404, 401, 500])("names the status %i, and examines nothing else", (status) => {
    expect(faults("default-src 'none'", "<p>Not found</p>", "https://shop.example.com/x", status)).toEqual([
      `https://shop.example.com/x answers with the status ${status}, so its tag and its policies were not examined.`,
    ]);
  });

  it("reports each fault once, however many policies have it", () => {
    const metas = `<meta http-equiv="Content-Security-Policy" content="frame-src 'self'">`.repeat(50);
    expect(faults("frame-src 'none',".repeat(9), metas + TAG)).toEqual([frame("frame-src")]);
  });
});
