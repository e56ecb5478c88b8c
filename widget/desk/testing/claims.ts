/** Words that claim a success. None may be shown or announced while nothing is confirmed. */
export const CLAIMS = /\b(sent|delivered|connected|ended|resolved|handed back|now assigned to you)\b/i;
