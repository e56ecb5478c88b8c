import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { Pool } from "undici";

/** The smallest proxy of the same parts: reads the body, passes it on, returns the answer. */
const pool = new Pool(process.env["BASE_URL"] ?? "", { connections: 256 });
const app = new Hono();
app.get("/", (c) => c.text("ready"));
app.post("/api/conversation/messages", async (c) => {
  const sent = await c.req.text();
  const { clientMessageId, body } = JSON.parse(sent) as { clientMessageId: string; body: string };
  const answer = await pool.request({
    method: "POST",
    path: "/v1/support/conversations/c1/turns",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ clientMessageId, content: { body, format: "plain" }, attachments: [] }),
  });
  return c.body(await answer.body.text(), 201, { "content-type": "application/json" });
});
serve({ fetch: app.fetch, port: Number(process.env["PORT"]), hostname: "127.0.0.1" });
