import { expect, it } from "vitest";
import { eventually, everything } from "../testing/by-role.ts";
import { type Kit, openedKit, settled, takenKit, until } from "../testing/desk-kit.ts";
import { ANA, at, BEN } from "../testing/samples.ts";
import { problem } from "../testing/scripted-service.ts";
import { showDesk } from "./show-desk.test-kit.tsx";

const action = { actionId: "act_1", name: "refund", title: "Refund", arguments: [], confirm: "person" };
const asked = { type: "action.requested", seq: 4, at: at(9), action };

interface Refused {
  readonly route: string;
  readonly press: (kit: Kit) => Promise<void>;
  readonly start?: () => Promise<Kit>;
}

const click = async (name: string) => (await eventually("button", name)).click();

const PLACES: Readonly<Record<string, Refused>> = {
  "taking a conversation": {
    route: `POST /conversations/${ANA}/take`,
    press: () => click("Take conversation"),
  },
  "the facts that the team types": {
    route: `POST /conversations/${ANA}/customer`,
    press: async () => {
      await click("Add name or e-mail");
      await click("Save");
    },
  },
  "the account of a person": {
    route: `POST /users/${BEN.id}/disable`,
    press: async () => {
      await click("People");
      await click(`Disable: ${BEN.name}`);
      await click("Disable now");
    },
  },
  "signing out": { route: "POST /logout", press: () => click("Sign out") },
  "the emoji": {
    route: "GET /desk/assets/emoji.json",
    start: () => takenKit(ANA),
    press: () => click("Emoji"),
  },
  "the answer to an action": {
    route: `POST /conversations/${ANA}/actions`,
    press: async (kit) => {
      const event = { type: "conversation.event", conversationId: ANA, event: asked };
      kit.service.push(event as never);
      await click("Allow");
    },
  },
};

it.each(Object.entries(PLACES))("OUT1 a refusal of %s says when it may be tried again", async (_, place) => {
  const kit = await showDesk(await (place.start ?? (() => openedKit(ANA)))());
  kit.service.script(place.route, () => problem("rate_limited", { retryAfter: 90 }));
  await place.press(kit);
  await until(() => everything().includes("Try again in 2 minutes."));
  await settled();
  kit.timers.advance(89_999);
  await settled();
  expect(everything()).toContain("Try again in 2 minutes.");
  kit.timers.advance(1);
  await until(() => everything().includes("Too many attempts. You can try again now."));
  expect(everything()).not.toContain("2 minutes");
});
