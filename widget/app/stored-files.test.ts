import { describe, expect, it } from "vitest";
import { KEPT, lastSaid, PDF, startExtras } from "./testing/start-extras.ts";

describe("ATT10 files of the log", () => {
  const path = "GET /api/conversation/attachments/att1";
  it("are saved as what they are, and what is another thing is not", async () => {
    const { bff, stored, saved, happenings } = await startExtras();
    const file = (type: string) => () => new Response(PDF, { headers: { "content-type": type } });
    bff.script(path, file("text/html"), file("application/pdf"));
    await stored.download(KEPT);
    expect([saved, [...stored.failed.value]]).toEqual([[], ["att1"]]);
    expect(lastSaid(happenings)).toEqual([true, "We couldn't load this file."]);
    await stored.download(KEPT);
    expect([saved, [...stored.failed.value]]).toEqual([["letter.pdf"], []]);
    expect(bff.calls(path).map(({ authorization }) => authorization?.slice(0, 13))).toEqual([
      "Bearer token-",
      "Bearer token-",
    ]);
  });
});

describe("ATT10 a file that arrives different from what was stored", () => {
  it.each([
    ["a piece of it", PDF.slice(0, 9)],
    ["other bytes, as many", new Uint8Array(PDF.length).fill(0x4d)],
    ["more of it", new Uint8Array([...PDF, 10])],
  ])("%s is not saved as if it were that", async (_, bytes) => {
    const { bff, stored, saved } = await startExtras();
    const answer = () => new Response(bytes, { headers: { "content-type": "application/pdf" } });
    bff.script("GET /api/conversation/attachments/att1", answer);
    await stored.download(KEPT);
    expect([saved, [...stored.failed.value]]).toEqual([[], ["att1"]]);
  });
});
