import { describe, expect, it } from "vitest";
import { routingOf } from "../bff/routing/testing/routing-kit.ts";
import { findTargetFaults, routingWarnings } from "./routing-faults.ts";

const to = { channel: "web" };

describe("routingWarnings", () => {
  const warningsOf = (...matches: object[]) =>
    routingWarnings(routingOf({ ROUTING: JSON.stringify(matches.map((match) => ({ match, ...to }))) }));

  it("names a rule that holds for everyone before the last one", () => {
    expect(warningsOf({ locales: ["de"] }, {}, { locales: ["fr"] })).toEqual([
      "ROUTING rule 2 holds for everyone, so the rules after it never win.",
    ]);
  });

  it("is empty if such a rule is the last one, or missing", () => {
    expect(warningsOf({ locales: ["de"] }, {})).toEqual([]);
    expect(warningsOf({ locales: ["de"] }, { locales: ["de-AT"] })).toEqual([]);
    expect(warningsOf()).toEqual([]);
  });
});

describe("findTargetFaults", () => {
  const routing = routingOf({
    ROUTING: JSON.stringify([
      { match: { locales: ["de"] }, agentProvider: "germn" },
      { match: { locales: ["fr"] }, agentProvider: "french", humanHandoffAdapter: "pager" },
      { match: {}, channel: "web" },
    ]),
    SUPPORT_CHANNEL: "wab",
    AGENT_PROVIDER: "knowledge",
  });

  it("names each default and each rule that requests what the service does not offer", () => {
    const offered = {
      channel: ["web", "app"],
      agentProvider: ["knowledge", "german"],
      humanHandoffAdapter: [],
    };
    expect(findTargetFaults(routing, offered).map(({ name, fault }) => `${name} ${fault}`)).toEqual([
      'SUPPORT_CHANNEL asks for "wab", but the service offers web, app.',
      'ROUTING rule 1: agentProvider asks for "germn", but the service offers knowledge, german.',
      'ROUTING rule 2: agentProvider asks for "french", but the service offers knowledge, german.',
      'ROUTING rule 2: humanHandoffAdapter asks for "pager", but the service offers none.',
    ]);
  });

  it("does not check a kind that the service does not list", () => {
    expect(findTargetFaults(routing, { channel: ["web", "wab"] })).toEqual([]);
  });

  it("finds nothing if everything is offered", () => {
    const offered = {
      channel: ["web", "wab"],
      agentProvider: ["knowledge", "germn", "french"],
      humanHandoffAdapter: ["pager"],
    };
    expect(findTargetFaults(routing, offered)).toEqual([]);
  });
});
