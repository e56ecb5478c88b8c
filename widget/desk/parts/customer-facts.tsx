import type { ComponentChildren } from "preact";
import type { Contact } from "../../../shared/contact.ts";
import type { DeskCustomer } from "../../../shared/desk.ts";
import { CheckIcon } from "../../elements/log-icons.tsx";
import customerStyles from "../css/customer.module.css";
import { texts } from "../texts.ts";
import { RegionHeading } from "./region-heading.tsx";

/** Whether the site said who this is. */
export function Proof({ identified }: { identified: boolean }) {
  return (
    <p class={customerStyles.proof} data-identified={identified}>
      {identified && <CheckIcon />}
      {identified ? texts.identified : texts.notIdentified}
    </p>
  );
}

interface AddressesProps {
  readonly customer: DeskCustomer;
  /** The address that they asked for replies at. */
  readonly contact: Contact | undefined;
}

/** The customer's addresses, and who stated each; nothing if there are none. */
export function Addresses({ customer, contact }: AddressesProps) {
  if (customer.email === undefined && !contact && !customer.identified) return null;
  return (
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
  );
}

/** Encoded, because an address may hold `?` and `&`, which would add fields to the mail. */
function mailHref(email: string): string {
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}`;
}

/** Attributes that are shown elsewhere in this region: as traits they would look like the site's own data. */
const OWN_ATTRIBUTES: ReadonlySet<string> = new Set(["identified", "emailVerified", "linkedTo"]);

/** The prefix of unverified attributes from the page (docs/contract.md). */
const PAGE_PREFIX = "page.";

/** Data that the site signed or the service knows and, separately, the page's unverified data. */
export function Traits({ customer }: { customer: DeskCustomer }) {
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

/** A fact with its name. */
export function Field(props: { name: string; children: ComponentChildren }) {
  return (
    <div class={customerStyles.fact}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}
