/** In this tab's storage: that files were attached and not sent. Not which: whoever reloads may be somebody else. */
export const LEFT_FILES = "parley.files";
