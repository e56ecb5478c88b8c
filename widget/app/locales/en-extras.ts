/** The words that only rating and picked files show, in English; they come with the panel's third part. */
export const enExtras = {
  tooManyFiles: "A message takes four files at most.",
  removeFile: "Remove {name}",
  uploading: "Uploading {name}",
  fileAttached: "Attached: {name}",
  fileRemoved: "Removed: {name}",
  fileNotConfirmed: "This file could not be confirmed: {name}",
  rateQuestion: "How was this conversation?",
  rateGood: "Good",
  rateBad: "Bad",
  rateComment: "Tell us more (optional)",
  rateSend: "Send rating",
  rateThanks: "Thank you. Your rating has arrived.",
  rateNotConfirmed: "Your rating could not be confirmed.",
  rateChange: "Change rating",
} as const;
