import { useLayoutEffect, useRef } from "preact/hooks";
import type { DeskConversation } from "../../../shared/desk.ts";
import hiddenStyles from "../../elements/hidden.module.css";
import { PlainText } from "../../elements/rich-text.tsx";
import controlsStyles from "../css/controls.module.css";
import customerStyles from "../css/customer.module.css";
import { customerAddress } from "../desk-address.ts";
import { useDesk } from "../desk-context.ts";
import { customerTitle, holderName } from "../people.ts";
import { texts } from "../texts.ts";
import { CustomerAvatar } from "./customer-avatar.tsx";
import { Addresses, Field, Proof, Traits } from "./customer-facts.tsx";
import { BackIcon } from "./desk-icons.tsx";
import { EarlierList } from "./earlier-list.tsx";
import { IsMain, RegionHeading } from "./region-heading.tsx";
import { TeamFacts } from "./team-facts.tsx";

/** The customer's details, and which of them are verified. */
export function CustomerRegion() {
  const { board } = useDesk();
  const opened = board.log.opened.value;
  const back = useRef<HTMLButtonElement>(null);
  const view = board.view.value;
  useLayoutEffect(() => {
    // The pressed button is in a region that is now hidden.
    if (view === "customer") back.current?.focus();
  }, [view]);
  // With fewer columns it takes the conversation's place.
  const isMain = board.columns.value < 3;
  return (
    <section
      class={customerStyles.customer}
      data-region="customer"
      role={isMain ? "main" : "complementary"}
      aria-label={texts.customerTitle}
      // A scrolling element must be reachable by keyboard.
      tabIndex={0}
    >
      <IsMain.Provider value={isMain}>
        <button
          type="button"
          ref={back}
          class={`${controlsStyles.iconButton} ${controlsStyles.notWide}`}
          aria-label={texts.backToConversation}
          onClick={() => board.show("conversation")}
        >
          <BackIcon />
        </button>
        {opened ? (
          <>
            <WhoItIs opened={opened} />
            <TeamFacts key={opened.id} opened={opened} />
            <Request opened={opened} />
            <Traits customer={opened.customer} />
            <Course opened={opened} />
            <EarlierList />
          </>
        ) : (
          <RegionHeading of="region" class={hiddenStyles.hiddenText}>
            {texts.customerTitle}
          </RegionHeading>
        )}
      </IsMain.Provider>
    </section>
  );
}

function WhoItIs({ opened: { customer, customerId, contact } }: { opened: DeskConversation }) {
  return (
    <section class={customerStyles.who}>
      <CustomerAvatar customer={customer} />
      <RegionHeading of="region">
        <bdi>{customerTitle(customer)}</bdi>
      </RegionHeading>
      <Proof identified={customer.identified} />
      <Addresses customer={customer} contact={contact} />
      <a class={customerStyles.whole} href={customerAddress(customerId)}>
        {texts.customerPage}
      </a>
    </section>
  );
}

function Request({ opened }: { opened: DeskConversation }) {
  if (opened.reason === undefined && opened.summary === undefined) return null;
  return (
    <section>
      <RegionHeading of="part">{texts.requestTitle}</RegionHeading>
      <dl>
        {opened.reason !== undefined && (
          <Field name={texts.field.reason}>
            <PlainText text={opened.reason} />
          </Field>
        )}
        {opened.summary !== undefined && (
          <Field name={texts.field.summary}>
            <PlainText text={opened.summary} />
          </Field>
        )}
      </dl>
    </section>
  );
}

function Course({ opened }: { opened: DeskConversation }) {
  const { board, calendar } = useDesk();
  const handler = handlerOf(opened, board.me.value?.id);
  return (
    <section>
      <RegionHeading of="part">{texts.conversationTitle}</RegionHeading>
      <dl>
        {opened.startedAt !== undefined && (
          <Field name={texts.field.started}>
            <time dateTime={opened.startedAt}>{calendar.shortMomentOf(opened.startedAt)}</time>
          </Field>
        )}
        {handler !== undefined && (
          <Field name={texts.field.handledBy}>
            <bdi>{handler}</bdi>
          </Field>
        )}
      </dl>
    </section>
  );
}

/** The one who answers now; undefined once the conversation has ended. */
function handlerOf(opened: DeskConversation, me: string | undefined): string | undefined {
  const { state, takenBy } = opened;
  if (state === "ended") return undefined;
  if (state !== "taken") return texts.handler[state];
  const name = holderName(opened);
  return takenBy?.id === me ? texts.handler.you(name) : name;
}
