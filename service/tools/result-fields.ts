/** A field with the outcome of the call or the status of its object, but not an earlier status or that of a delivery. */
const STATUS = /^(?:state|result)$|^(?!previous|old|.*fulfil).*(?:status|outcome)(?:_?code)?$/i;
export const SUCCESS = /^(?:success|ok)$/i;
/** A sentence of the tool, which may say that only a step was taken, or that it was done before. */
const MESSAGE =
  /^(?:msg|details?|reason|text|info|warnings?|response|output|reply|answer|notes?|notice|instructions?|description|comments?)$|messages?$/i;

/** The limit of an action's text (`ActionText`): what the card shows. */
export const MAX_TEXT = 2000;

export const isStatus = (key: string) => STATUS.test(key);
export const isMessage = (key: string) => MESSAGE.test(key);
