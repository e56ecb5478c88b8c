/**
 * An e-mail address as browsers take it (HTML, `type=email`), with a dot in its domain and the lengths of RFC 5321. It has
 * no white space, quotes, brackets or separators, so it can neither end a header nor name a second address.
 */
export const EMAIL_ADDRESS =
  /^(?=.{3,254}$)(?=[^@]{1,64}@)[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+$/;
