/** A field with the outcome of the call or the status of its object, but not an earlier status or that of a delivery. */
const STATUS = /^(?:state|result)$|^(?!previous|old|.*fulfil).*(?:status|outcome)(?:_?code)?$/i;
export const SUCCESS = /^(?:success|ok)$/i;

/** The limit of an action's text (`ActionText`): what the card shows. */
export const MAX_TEXT = 2000;

export const isStatus = (key: string) => STATUS.test(key);
