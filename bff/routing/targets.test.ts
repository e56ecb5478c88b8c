import { describe, expect, it } from "vitest";
import { sentenceOf } from "./fault.ts";
import { checkTargets } from "./targets.ts";
import { routingOf } from "./testing/routing-kit.ts";

describe("checkTargets", () => {
  const routing = routingOf({
    ROUTING: JSON.stringify([
      { match: { locales: ["de"] }, agentProvider: "germn" },
      { match: { locales: ["fr"] }, agentProvider: "french", humanHandoffAdapter: "pager" },
      { match: {}, channel: "web" },
    ]),
    SUPPORT_CHANNEL: "wab",
    AGENT_PROVIDER: "knowledge",
  });

  it("names each default and each rule that asks for what the service does not offer", () => {
    const offered = {
      channel: ["web", "app"],
      agentProvider: ["knowledge", "german"],
      humanHandoffAdapter: [],
    };
    expect(checkTargets(routing, offered).map(sentenceOf)).toEqual([
      'SUPPORT_CHANNEL asks for "wab", which the service does not offer; did you mean "web"?',
      'ROUTING rule 1: "agentProvider" asks for "germn", which the service does not offer; did you mean "german"?',
      'ROUTING rule 2: "agentProvider" asks for "french", which the service does not offer; it offers knowledge and german.',
      'ROUTING rule 2: "humanHandoffAdapter" asks for "pager", which the service does not offer; it offers none.',
    ]);
  });

  it("says nothing of a kind that the service does not list", () => {
    expect(checkTargets(routing, { channel: ["web", "wab"] })).toEqual([]);
  });

  it("says nothing where all is offered", () => {
    const offered = {
      channel: ["web", "wab"],
      agentProvider: ["knowledge", "germn", "french"],
      humanHandoffAdapter: ["pager"],
    };
    expect(checkTargets(routing, offered)).toEqual([]);
  });
});
