import { Avatar } from "../../elements/avatar.tsx";
import styles from "../css/customer-avatar.module.css";
import { givenName, type NamedCustomer } from "../people.ts";
import { signColors, visitorSign } from "../visitor-sign.ts";

/** The initials of a customer, or the sign of a nameless visitor. Decorative: the name beside it says the same. */
export function CustomerAvatar({ customer }: { customer: NamedCustomer }) {
  const name = givenName(customer);
  if (name !== undefined || customer.identified) return <Avatar role="customer" name={name} />;
  const { mark, hue } = visitorSign(customer.externalId);
  return (
    <span class={styles.sign} style={signColors(hue)}>
      {/* Two words, which have two initials. */}
      <Avatar role="customer" name={mark.replace(/\B/, " ")} />
    </span>
  );
}
