/** Words that claim a success. None may stand anywhere, for eyes or ears, while nothing is confirmed. */
export const CLAIMS = /\b(sent|delivered|connected|ended|resolved|handed back|you have this conversation)\b/i;
