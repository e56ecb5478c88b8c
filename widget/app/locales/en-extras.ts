/** The words that only rating, erasing and picked files show, in English; they come with the panel's third part. */
export const enExtras = {
  uploading: "Uploading {name}",
  fileAttached: "Attached: {name}",
  fileRemoved: "Removed: {name}",
  fileNotConfirmed: "This file could not be confirmed: {name}",
  erasing: "Deleting the conversation…",
  eraseNotConfirmed: "The deletion could not be confirmed. The conversation may still be there.",
  rateQuestion: "How was this conversation?",
  rateGood: "Good",
  rateBad: "Bad",
  rateComment: "Tell us more (optional)",
  rateSend: "Send rating",
  rateThanks: "Thank you. Your rating has arrived.",
  rateNotConfirmed: "Your rating could not be confirmed.",
  rateChange: "Change rating",
} as const;
