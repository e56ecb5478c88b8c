import type { DeskSummary } from "../../../shared/desk.ts";
import linkStyles from "../css/customer-avatar.module.css";
import { customerAddress } from "../desk-address.ts";
import { customerTitle } from "../people.ts";
import { texts } from "../texts.ts";
import { CustomerAvatar } from "./customer-avatar.tsx";

interface CustomerLinkProps {
  readonly of: Pick<DeskSummary, "customer" | "customerId">;
  readonly class?: string | undefined;
  readonly isTabStop: boolean;
}

/** The picture of a customer, which leads to their page. */
export function CustomerLink({ of, class: more, isTabStop }: CustomerLinkProps) {
  const name = texts.customerPageOf(customerTitle(of.customer));
  return (
    <a
      class={[linkStyles.link, more].filter(Boolean).join(" ")}
      href={customerAddress(of.customerId)}
      aria-label={name}
      title={name}
      tabIndex={isTabStop ? 0 : -1}
    >
      <CustomerAvatar customer={of.customer} />
    </a>
  );
}
