import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { DeskConversation } from "../../../shared/desk.ts";
import hiddenStyles from "../../ui/hidden.module.css";
import { CheckIcon } from "../../ui/log-icons.tsx";
import { PlainText } from "../../ui/rich-text.tsx";
import controlsStyles from "../css/controls.module.css";
import customerStyles from "../css/customer.module.css";
import { useDesk } from "../desk-context.ts";
import { customerTitle } from "../people.ts";
import { texts } from "../texts.ts";
import { CustomerAvatar } from "./customer-avatar.tsx";
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
      // What scrolls must be reachable by keyboard.
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
            <Traits opened={opened} />
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

function WhoItIs({ opened: { customer, contact } }: { opened: DeskConversation }) {
  return (
    <section class={customerStyles.who}>
      <CustomerAvatar customer={customer} />
      <RegionHeading of="region">
        <bdi>{customerTitle(customer)}</bdi>
      </RegionHeading>
      <p class={customerStyles.proof} data-identified={customer.identified}>
        {customer.identified && <CheckIcon />}
        {customer.identified ? texts.identified : texts.notIdentified}
      </p>
      {(customer.email !== undefined || contact || customer.identified) && (
        <dl>
          {customer.email !== undefined && (
            <Field name={texts.field.email}>
              <bdi>{customer.email}</bdi>{" "}
              {!(customer.identified && customer.traits["emailVerified"] === true) && (
                <span class={customerStyles.unverified}>{texts.notVerified}</span>
              )}
            </Field>
          )}
          {contact && (
            <Field name={texts.field.contact}>
              <a href={mailHref(contact.email)}>
                <bdi>{contact.email}</bdi>
              </a>{" "}
              <span class={customerStyles.unverified}>{texts.typedByCustomer}</span>
            </Field>
          )}
          {customer.identified && (
            <Field name={texts.field.id}>
              <bdi class={customerStyles.code}>{customer.externalId}</bdi>
            </Field>
          )}
        </dl>
      )}
    </section>
  );
}

/** Encoded, because an address may hold `?` and `&`, which would add fields to the mail. */
function mailHref(email: string): string {
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
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

/** Attributes that are shown elsewhere in this region: as traits they would look like the site's own data. */
const OWN_ATTRIBUTES: ReadonlySet<string> = new Set(["identified", "emailVerified", "linkedTo"]);

/** The prefix of unverified attributes from the page (docs/contract.md). */
const PAGE_PREFIX = "page.";

/** Data that the site signed or the service knows and, separately, the page's unverified data. */
function Traits({ opened: { customer } }: { opened: DeskConversation }) {
  const all = Object.entries(customer.traits).filter(
    ([name, value]) => value !== null && !OWN_ATTRIBUTES.has(name),
  );
  const said = all.filter(([name]) => name.startsWith(PAGE_PREFIX));
  const linkedTo = customer.identified ? undefined : customer.traits["linkedTo"];
  return (
    <>
      <TraitList title={texts.traitsTitle} traits={all.filter((trait) => !said.includes(trait))} />
      <TraitList
        title={texts.pageTraitsTitle}
        traits={said.map(([name, value]) => [name.slice(PAGE_PREFIX.length), value])}
      />
      {linkedTo !== undefined && linkedTo !== null && (
        <section>
          <RegionHeading of="part">{texts.linkedTitle}</RegionHeading>
          <dl>
            <Field name={texts.field.linkedTo}>
              <bdi class={customerStyles.code}>{String(linkedTo)}</bdi>
            </Field>
          </dl>
        </section>
      )}
    </>
  );
}

function TraitList(props: { title: string; traits: readonly (readonly [name: string, value: unknown])[] }) {
  if (props.traits.length === 0) return null;
  return (
    <section>
      <RegionHeading of="part">{props.title}</RegionHeading>
      <dl>
        {props.traits.map(([name, value]) => (
          <Field key={name} name={name}>
            <bdi>{String(value)}</bdi>
          </Field>
        ))}
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

/** Who answers now; undefined once the conversation has ended. */
function handlerOf({ state, takenBy }: DeskConversation, me: string | undefined): string | undefined {
  if (state === "ended") return undefined;
  if (state !== "taken") return texts.handler[state];
  const name = takenBy?.name ?? texts.colleague;
  return takenBy?.id === me ? texts.handler.you(name) : name;
}

function Field(props: { name: string; children: ComponentChildren }) {
  return (
    <div class={customerStyles.fact}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
