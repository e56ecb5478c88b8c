/** A field with the outcome of the call or the status of its object, but not an earlier status or that of a delivery. */
const STATUS = /^(?:state|result)$|^(?!previous|old|.*fulfil)(?:.*(?:status|outcome))(?:_?code)?$/i;
export const SUCCESS = /^(?:success|ok)$/i;

export const isStatus = (key: string) => STATUS.test(key);

/** The words of a field such as `isPending` or `in_progress`. */
export const wordsOf = (key: string) => key.replace(/_|(?<=[a-z])(?=[A-Z])/g, " ");
