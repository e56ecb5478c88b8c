/** A field that says how the call went, or how its object is. What was before, and what was delivered, is another matter. */
const STATUS = /^(?:state|result)$|^(?!previous|old|.*fulfil)(?:.*(?:status|outcome))(?:_?code)?$/i;
export const SUCCESS = /^(?:success|ok)$/i;

export const isStatus = (key: string) => STATUS.test(key);

/** The words of a field such as `isPending` or `in_progress`. */
export const wordsOf = (key: string) => key.replace(/_|(?<=[a-z])(?=[A-Z])/g, " ");
