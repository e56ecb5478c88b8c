import { expect, onTestFinished, test } from "vitest";
import { listen } from "./server.ts";
import { openTestService } from "./testing/test-service.ts";

test("a desk over https tells browsers to stay there, and over http it does not", async () => {
  const { service } = await openTestService();
  for (const [publicUrl, header] of [
    ["https://desk.example.com", "max-age=31536000"],
    ["http://127.0.0.1:3001", null],
    [undefined, null],
  ] as const) {
    const server = await listen(service.app, { host: "127.0.0.1", port: 0, publicUrl });
    onTestFinished(() => server.stop());
    for (const path of ["/desk", "/desk/api/session", "/livez"]) {
      const answer = await fetch(server.url + path);
      await answer.body?.cancel();
      expect(answer.headers.get("strict-transport-security"), path).toBe(header);
    }
  }
});
